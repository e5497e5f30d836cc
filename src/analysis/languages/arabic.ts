// Arabic, by stems alone. Those of Snowball are light forms too.

import type { LanguageRules } from "../language-rules.js";
import { loadStemmer } from "../stemmers.js";

export async function arabicRules(): Promise<LanguageRules> {
  const stem = await loadStemmer("arabic");
  return {
    tag: "ar",
    id: "arabic-1",
    stem,
    lightForm: stem,
    stopWords: `
      في من الى على عن مع و او ثم بين عند حتى منذ قبل بعد تحت فوق كما ان لان لكن هذا هذه ذلك تلك هو هي هم هن انا انت نحن التي الذي
      الذين ما لا كل اي`,
  };
}
