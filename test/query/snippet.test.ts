import { expect, it } from "vitest";
import { escapeHtml, snippetText } from "../../src/query/shape/highlight.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { matcherOf } from "../support/query-matcher.js";
import { property } from "../support/random.js";

const LONG = "Bagless vacuum cleaner with long description of the motor, the brush and the filter";
const TAGS = { highlightPreTag: "[", highlightPostTag: "]", snippetEllipsisText: "…", escapeHTML: true };
const cut = (query: string, text: string, words: number, more: Partial<typeof TAGS> = {}) =>
  runTaskAtOnce(snippetText(text, matcherOf(query), { ...TAGS, words, ...more }));

const HTML = '<p class="big red"><b>Bright</b> lamp</p><ul><li>for <a href="x y">every</a> desk</li></ul>';

it.each<[what: string, query: string, text: string, words: number, shown: string, level: string]>([
  ["the words around the match", "brush", LONG, 5, "…motor, the [brush] and the…", "full"],
  ["the beginning", "bagless", LONG, 3, "[Bagless] vacuum cleaner…", "full"],
  ["the end", "filter", LONG, 3, "…and the [filter]", "full"],
  ["where most terms are", "vacuum motor brush", LONG, 4, "…the [motor], the [brush]…", "full"],
  ["where most matches are", "cup", "cup one two three cup cup four", 3, "…three [cup] [cup]…", "full"],
  ["terms before matches", "red cup", "cup cup cup one two red cup", 3, "…two [red] [cup]", "full"],
  ["the beginning where nothing matches", "lamp", LONG, 2, "Bagless vacuum…", "none"],
  ["short texts whole", "mug", "  a  <mug> & cup ", 3, "  a  &lt;[mug]&gt; &amp; cup ", "full"],
  ["no text", "mug", "", 3, "", "none"],
  ["words that hold a letter or digit", "b", "a - & b - c d", 3, "a - &amp; [b] - c…", "full"],
  ["at least one word", "b", "a b c", 0, "…[b]…", "full"],
  ["the part of a quantity that is in view", "1.5 l", "kettle 1500 ml glass", 1, "…[1500]…", "full"],
  ["a quantity", "1.5 l", "kettle 1500 ml glass", 2, "…[1500 ml]…", "full"],
  ["how much of the query the whole text holds", "bagless brush", LONG, 1, "[Bagless]…", "full"],
  ["what the whole text lacks", "bagless lamp", LONG, 1, "[Bagless]…", "partial"],
])("a snippet shows %s: for %s in %s, %i words", (_, query, text, words, value, matchLevel) => {
  expect(cut(query, text, words)).toEqual({ value, matchLevel });
});

it.each([
  ["lamp", 2, '<p class="big red"><b>Bright</b> [lamp]…'],
  ["every", 1, "…[every]…"],
  ["every", 2, '…for <a href="x y">[every]…'],
  ["desk", 2, "…every</a> [desk]</li></ul>"],
  ["big", 1, '<p class="big red"><b>Bright…'],
])("a snippet counts no tag as a word, and begins and ends within none: %s, %i words", (query, words, shown) => {
  expect(cut(query, HTML, words, { escapeHTML: false }).value).toBe(shown);
});

property("a snippet is a part of the text, whole words, at most as many as asked for", 400, (random) => {
  const bits = ["mug", "cup", "red-mug", "1500 ml", "<b>", "&", "-", "é\u0301", "東京", "18v", "\ud800x", "…"];
  const text = random.list(0, 25, () => random.pick(bits) + random.pick([" ", " ", "  ", "\n", ""])).join("");
  const words = random.between(1, 8);
  const tags = { highlightPreTag: "\u{f0000}", highlightPostTag: "\u{f0001}", snippetEllipsisText: "\u{f0002}" };
  const query = random.pick(["mug", "red cup", "1.5 l 京", "18v"]);
  const { value: raw } = cut(query, text, words, { ...tags, escapeHTML: false });
  expect(cut(query, text, words, tags).value).toBe(escapeHtml(raw));
  const plain = raw.replaceAll(/[\u{f0000}-\u{f0002}]/gu, "");
  expect(text).toContain(plain);
  const runs = (of: string) =>
    of
      .replaceAll("<b>", "")
      .split(/\s+/)
      .filter((run) => /[\p{L}\p{N}]/u.test(run));
  expect(runs(plain).length).toBe(Math.min(words, runs(text).length));
  for (const run of runs(plain)) expect(runs(text)).toContain(run);
});
