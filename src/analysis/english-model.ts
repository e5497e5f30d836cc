// What wink's English model offers: the stemmer, which is a file of its own, and the whole model of three megabytes, which is loaded
// only by what reads sentences. Only this file imports the package.

import type { Model } from "wink-eng-lite-web-model";

export { default as porterStem } from "wink-eng-lite-web-model/dist/porter-stemmer.js";

/** Loads the whole model. */
export async function loadEnglishModel(): Promise<Model> {
  return (await import("wink-eng-lite-web-model")).default;
}
