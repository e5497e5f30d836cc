// Makes a judged set with typing errors: one word of each query misspelt, or the last word incomplete.
// Seeded. Queries without a word of five letters to damage are left out.

import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readJsonLines, seededRandom } from "../support/corpus.mjs";

const HELP = "node bench/relevance/damage-queries.mjs FOLDER misspelt|cut OUT";
const WORD = /^[A-Za-z]{5,}$/;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const LEFT_OF_CUT = 0.6;
const random = seededRandom(21);
const below = (count) => Math.floor(random() * count);

const DAMAGES = { misspelt: misspell, cut: cutLast };
const [folder, damage, out] = process.argv.slice(2);
if (out === undefined || !Object.hasOwn(DAMAGES, damage)) {
  console.error(HELP);
  process.exit(2);
}
mkdirSync(out, { recursive: true });
const lines = [];
for await (const query of readJsonLines(join(folder, "queries.jsonl"))) {
  const damaged = DAMAGES[damage](query.query.trim().split(/\s+/));
  if (damaged !== undefined) lines.push(JSON.stringify({ ...query, query: damaged.join(" ") }));
}
writeFileSync(join(out, "queries.jsonl"), `${lines.join("\n")}\n`);
for (const name of readdirSync(folder).filter((name) => name === "qrels.tsv" || name.startsWith("records.jsonl")))
  if (!existsSync(join(out, name))) copyFileSync(join(folder, name), join(out, name));
console.log(`${lines.length} queries`);

/** Drops, adds or changes one letter of a word, or swaps two. */
function misspell(words) {
  const places = [...words.keys()].filter((i) => WORD.test(words[i]));
  if (places.length === 0) return undefined;
  const place = places[below(places.length)];
  const word = words[place];
  const at = 1 + below(word.length - 2);
  const letter = LETTERS[below(LETTERS.length)];
  const before = word.slice(0, at);
  const misspelt = [
    before + word.slice(at + 1),
    before + letter + word.slice(at),
    before + letter + word.slice(at + 1),
    before + word[at + 1] + word[at] + word.slice(at + 2),
  ][below(4)];
  return words.with(place, misspelt);
}

function cutLast(words) {
  const last = words.at(-1);
  if (!WORD.test(last)) return undefined;
  return words.with(-1, last.slice(0, Math.max(3, Math.ceil(last.length * LEFT_OF_CUT))));
}
