import { describe, expect, it } from "vitest";
import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";
import { EnglishReader, loadEnglishReader, type WordToRead } from "../../src/understanding/english-reader.js";

const word = (key: string): WordToRead => ({ key, kind: "word" });
const wordsOf = (text: string): WordToRead[] => text.split(" ").map(word);

describe("reading English", () => {
  it("tells parts of speech, negation and entities of each word", async () => {
    const reader = await loadEnglishReader();
    const read = reader.read([...wordsOf("printer that does not need ink under"), { key: "17", kind: "number" }])!;
    expect(read.map(({ pos }) => pos)).toEqual(["NOUN", "PRON", "AUX", "PART", "VERB", "NOUN", "ADP", "NUM"]);
    expect(read.map(({ isNegated }) => isNegated).indexOf(true)).toBe(4);
    expect(read.at(-1)!.entity).toBe("CARDINAL");
    const price = reader.read([word("under"), { key: "€", kind: "currency" }, { key: "1,299.95", kind: "number" }])!;
    expect(price.map(({ entity }) => entity)).toEqual([undefined, "MONEY", "MONEY"]);
  });

  it("is loaded once", async () => {
    expect(await loadEnglishReader()).toBe(await loadEnglishReader());
  });

  it("keeps no word that it reads, and reads each word of its lexicon as one", () => {
    const core = (model.core as () => { features: { lexeme: { hash: Record<string, number> } } })();
    const { hash } = core.features.lexeme;
    const reader = new EnglishReader(winkNLP({ ...model, core: () => core }, ["ner", "negation", "pos"]), hash);
    reader.read([word("unknown-word"), { key: "1.5", kind: "number" }, { key: "£", kind: "currency" }]);
    const known = Object.keys(hash);
    for (let i = 0; i < 5000; i++)
      expect(
        reader.read([word(`new${i}`), { key: `${i}.5`, kind: "number" }, { key: "^^", kind: "sign" }]),
      ).toHaveLength(3);
    expect(Object.keys(hash)).toHaveLength(known.length);
    const words = known.filter((key) => /^[a-z]+$/.test(key));
    const divided = words.filter((key) => reader.read([word(key)])?.length !== 1);
    expect(divided).toEqual([]);
    expect(words.length).toBeGreaterThan(80_000);
  });
});
