// Languages by stems alone. Those of Snowball are light forms too.

import { type LanguageRules, loadStemmer } from "../language-rules.js";

type Language = "turkish" | "greek" | "hungarian" | "romanian";

const LANGUAGES: Readonly<Record<Language, Pick<LanguageRules, "tag" | "stopWords" | "alphabet">>> = {
  turkish: {
    tag: "tr",
    stopWords: `
      ve veya ile ya da de ki mi mu icin gibi kadar gore dolayi ancak ama fakat bu su o bir ben sen biz siz onlar benim senin onun bizim
      sizin bana sana ona beni seni onu her hem ne ise diye olan olarak`,
    alphabet: ["c ç", "g ğ", "h ı", "o ö", "s ş", "u ü"],
  },
  greek: {
    tag: "el",
    stopWords: `
      ο η το οι τα του τησ των τον την τη τουσ τισ ενασ μια ενα και κι η για με σε στο στη στην στον στα στουσ στισ απο προσ ωσ κατα μετα
      μεχρι να θα που πωσ οτι αυτο αυτη αυτοσ εγω εσυ εμεισ μου σου μασ σασ ειναι δεν`,
  },
  hungarian: {
    tag: "hu",
    stopWords: `
      a az egy es vagy de is ha hogy mint nem ne en te o mi ti ok ez ezek azok aki ami amely akik amelyek ennek annak van vannak volt lesz
      meg csak mar alatt felett mellett kozott miatt szerint`,
    alphabet: ["o ö/ő", "u ü/ű"],
  },
  romanian: {
    tag: "ro",
    stopWords: `
      si sau dar de la in din pe pentru prin spre despre sub peste intre pana ca cu un o unui unei niste al ai ale lui ei lor acest aceasta
      acestui acel acea eu tu el ea noi voi mei mea tau ta sa se care ce este sunt nu`,
    alphabet: ["a ă â", "i î", "s ș/ş", "t ț/ţ"],
  },
};

export async function rulesByStems(language: Language): Promise<LanguageRules> {
  const stem = await loadStemmer(language);
  return { ...LANGUAGES[language], id: `${language}-1`, stem, lightForm: stem };
}
