// Greek, by stems alone. Those of Snowball are light forms too.

import type { LanguageRules } from "../language-rules.js";
import { loadStemmer } from "../stemmers.js";

export async function greekRules(): Promise<LanguageRules> {
  const stem = await loadStemmer("greek");
  return {
    tag: "el",
    id: "greek-1",
    stem,
    lightForm: stem,
    stopWords: `
      ο η το οι τα του τησ των τον την τη τουσ τισ ενασ μια ενα και κι η για με σε στο στη στην στον στα στουσ στισ απο προσ ωσ κατα μετα
      μεχρι να θα που πωσ οτι αυτο αυτη αυτοσ εγω εσυ εμεισ μου σου μασ σασ ειναι δεν`,
  };
}
