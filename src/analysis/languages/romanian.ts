// Romanian, by stems alone. Those of Snowball are light forms too.

import type { LanguageRules } from "../language-rules.js";
import { loadStemmer } from "../stemmers.js";

export async function romanianRules(): Promise<LanguageRules> {
  const stem = await loadStemmer("romanian");
  return {
    tag: "ro",
    id: "romanian-1",
    stem,
    lightForm: stem,
    stopWords: `
      si sau dar de la in din pe pentru prin spre despre sub peste intre pana ca cu un o unui unei niste al ai ale lui ei lor acest aceasta
      acestui acel acea eu tu el ea noi voi mei mea tau ta sa se care ce este sunt nu`,
    alphabet: ["a ă â", "i î", "s ș/ş", "t ț/ţ"],
  };
}
