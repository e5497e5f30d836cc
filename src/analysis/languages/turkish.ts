// Turkish, by stems alone. Those of Snowball are light forms too.

import type { LanguageRules } from "../language-rules.js";
import { loadStemmer } from "../stemmers.js";

export async function turkishRules(): Promise<LanguageRules> {
  const stem = await loadStemmer("turkish");
  return {
    tag: "tr",
    id: "turkish-1",
    stem,
    lightForm: stem,
    stopWords: `
      ve veya ile ya da de ki mi mu icin gibi kadar gore dolayi ancak ama fakat bu su o bir ben sen biz siz onlar benim senin onun bizim
      sizin bana sana ona beni seni onu her hem ne ise diye olan olarak`,
    alphabet: ["c ç", "g ğ", "h ı", "o ö", "s ş", "u ü"],
  };
}
