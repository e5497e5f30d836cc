// Hungarian, by stems alone. Those of Snowball are light forms too.

import type { LanguageRules } from "../language-rules.js";
import { loadStemmer } from "../stemmers.js";

export async function hungarianRules(): Promise<LanguageRules> {
  const stem = await loadStemmer("hungarian");
  return {
    tag: "hu",
    id: "hungarian-1",
    stem,
    lightForm: stem,
    stopWords: `
      a az egy es vagy de is ha hogy mint nem ne en te o mi ti ok ez ezek azok aki ami amely akik amelyek ennek annak van vannak volt lesz
      meg csak mar alatt felett mellett kozott miatt szerint`,
    alphabet: ["o ö/ő", "u ü/ű"],
  };
}
