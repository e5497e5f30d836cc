// The stemmer has no types of its own.

declare module "wink-eng-lite-web-model/dist/porter-stemmer.js" {
  export default function porterStem(word: string): string;
}
