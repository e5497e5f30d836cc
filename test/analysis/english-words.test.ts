import { describe, expect, it, vi } from "vitest";
import model from "wink-eng-lite-web-model";
import winkNLP, { type ItsFunction } from "wink-nlp";
import { irregularSingular } from "../../src/analysis/plurals.js";
import { ENGLISH_WORDS, PLAIN_WORDS, type WordForms } from "../../src/analysis/word-forms.js";
import { Random } from "../support/random.js";
import { seq } from "../support/seq.js";

/** From the sample vocabulary that Snowball publishes for its English stemmer (snowballstem.org), and from its exceptions. */
const PUBLISHED = `
  consign consign, consigned consign, consigning consign, consignment consign, consist consist, consistency consist,
  consistently consist, consolation consol, consolatory consolatori, console consol, consolidate consolid,
  consolingly consol, conspicuously conspicu, conspiracy conspiraci, conspirators conspir, constables constabl,
  constancy constanc, knack knack, knackeries knackeri, knavish knavish, kneaded knead, kneeling kneel, knees knee,
  knelt knelt, knightly knight, knitted knit, knobs knob, knocker knocker, knots knot,
  skis ski, skies sky, dying die, lying lie, tying tie, idly idl, gently gentl, ugly ugli, early earli, only onli,
  singly singl, sky sky, news news, atlas atlas, cosmos cosmos, bias bias, andes andes, inning inning, outing outing,
  canning canning, herring herring, earring earring, proceed proceed, exceed exceed, succeed succeed,
  generate generat, general general, generic generic, generously generous, communism communism, arsenal arsenal,
  ties tie, cries cri, gas gas, this this, gaps gap, kiwis kiwi, luxuriating luxuri, hopping hop, hoping hope`
  .split(",")
  .map((pair) => pair.trim().split(" ") as [string, string]);

/** Stop words of wink that are none here. */
const TELLING =
  `above back behind below bottom down front off out over side top under up without between can full empty first third one two
  three four five six seven eight nine ten eleven twelve fifteen twenty forty fifty sixty hundred who name part call move show last
  next cd whole`.split(/\s+/);

/** The words with empty memories. */
async function freshWords(): Promise<WordForms> {
  vi.resetModules();
  return (await import("../../src/analysis/word-forms.js")).ENGLISH_WORDS;
}

describe("English words", () => {
  it("have the stems that Snowball publishes", () => {
    const stems = PUBLISHED.map(([word]) => [word, ENGLISH_WORDS.stem(word)]);
    expect(stems).toEqual(PUBLISHED);
  });

  it("fold the forms that shoppers mix", () => {
    const forms = ["drill drills drilling drilled", "battery batteries", "sofa sofas", "running runs"];
    for (const form of forms) expect(new Set(form.split(" ").map(ENGLISH_WORDS.stem)).size, form).toBe(1);
  });

  it("keep what is not of a-z alone, and words of two letters", () => {
    const words = ["1000s", "mp3s", "häuser", "дома", "東京", "rock'n'roll", "", "as", "us", "tv"];
    expect(words.map(ENGLISH_WORDS.stem)).toEqual(words);
  });

  it("stay one word where the tokeniser sees a contraction", () => {
    const words = ["dont", "cannot", "gonna", "wanna", "gimme", "wont", "lemme", "gotta"];
    for (const word of words) expect(word.startsWith(ENGLISH_WORDS.stem(word).slice(0, -1)), word).toBe(true);
    expect(ENGLISH_WORDS.stem("cannot")).toBe("cannot");
  });

  it("may be called like a property of every object", () => {
    expect(["constructor", "prototype"].map(ENGLISH_WORDS.stem)).toEqual(["constructor", "prototyp"]);
    expect(ENGLISH_WORDS.isStopWord("constructor")).toBe(false);
  });

  it("have the stems and stop words that wink has when it reads each word alone, but for some", () => {
    const { core } = model as { core: () => { features: { lexeme: { hash: Record<string, number> } } } };
    const wink = winkNLP(model, []);
    const random = new Random(5);
    const endings = ["", "s", "ing", "ed", "ness", "ly", "ation", "izer", "ful"];
    const letters = (): string => String.fromCharCode(97 + random.between(0, 25));
    const made = seq(3000, (i) => letters() + letters() + letters() + endings[i % endings.length]!);
    const known = Object.keys(core().features.lexeme.hash).filter((word) => /^[a-z]+$/.test(word));
    expect(known.length).toBeGreaterThan(80_000);
    // Irregular plurals, and words that say which product is meant.
    const ours = (word: string): boolean => irregularSingular(word) !== undefined || TELLING.includes(word);
    expect(TELLING.some(ENGLISH_WORDS.isStopWord)).toBe(false);
    const differing = [...known, ...made].filter((word) => {
      if (ours(word)) return false;
      const tokens = wink.readDoc(word).tokens();
      const stems = tokens.out(wink.its.stem as ItsFunction<string>);
      const stops = tokens.out(wink.its.stopWordFlag as ItsFunction<boolean>);
      const stem = stems.length === 1 ? stems[0] : word;
      return ENGLISH_WORDS.stem(word) !== stem || ENGLISH_WORDS.isStopWord(word) !== stops.every(Boolean);
    });
    expect(differing).toEqual([]);
  });

  it("know stop words from others", () => {
    expect("the of and a is with for to in on".split(" ").every(ENGLISH_WORDS.isStopWord)).toBe(true);
    expect(["drill", "sofa", "tv", "x", "", "18v", "東京"].some(ENGLISH_WORDS.isStopWord)).toBe(false);
  });

  it("have the same forms whatever was read before", async () => {
    const words = [...PUBLISHED.map(([word]) => word), "dont", "the", "usb", "pl", "e", "etc", "mr", "st"];
    const formsOf =
      ({ stem, isStopWord }: WordForms) =>
      (word: string) => [word, stem(word), isStopWord(word)];
    const forward = words.map(formsOf(await freshWords()));
    const backward = [...words].reverse().map(formsOf(await freshWords()));
    expect(backward.reverse()).toEqual(forward);
  });
});

it("plain words are themselves, and none is a stop word", () => {
  expect(["drills", "the", "18v"].map(PLAIN_WORDS.stem)).toEqual(["drills", "the", "18v"]);
  expect(PLAIN_WORDS.isStopWord("the")).toBe(false);
});
