import { describe, expect, it } from "vitest";
import { escapeHtml, snippetText as snippetTextTask } from "../../src/query/shape/highlight.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { matcherOf } from "../support/query-matcher.js";
import { property } from "../support/random.js";

const snippetText = (...args: Parameters<typeof snippetTextTask>) => runTaskAtOnce(snippetTextTask(...args));

const LONG = "Bagless vacuum cleaner with long description of the motor, the brush and the filter";
const cut = (query: string, text: string, words: number) =>
  snippetText(text, matcherOf(query), {
    words,
    highlightPreTag: "[",
    highlightPostTag: "]",
    snippetEllipsisText: "…",
    escapeHTML: true,
  });

describe("snippetText", () => {
  it("shows the words around the match", () => {
    expect(cut("brush", LONG, 5)).toEqual({ value: "…motor, the [brush] and the…", matchLevel: "full" });
    expect(cut("bagless", LONG, 3).value).toBe("[Bagless] vacuum cleaner…");
    expect(cut("filter", LONG, 3).value).toBe("…and the [filter]");
  });

  it("prefers the window with most terms, then with most matches", () => {
    expect(cut("vacuum motor brush", LONG, 4).value).toBe("…the [motor], the [brush]…");
    expect(cut("cup", "cup one two three cup cup four", 3).value).toBe("…three [cup] [cup]…");
    expect(cut("red cup", "cup cup cup one two red cup", 3).value).toBe("…two [red] [cup]");
  });

  it("shows the beginning where nothing matches, and short texts whole", () => {
    expect(cut("lamp", LONG, 2)).toEqual({ value: "Bagless vacuum…", matchLevel: "none" });
    expect(cut("mug", "  a  <mug> & cup ", 3).value).toBe("  a  &lt;[mug]&gt; &amp; cup ");
    expect(cut("mug", "", 3)).toEqual({ value: "", matchLevel: "none" });
  });

  it("counts no tag as a word, and begins and ends within none", () => {
    const html = '<p class="big red"><b>Bright</b> lamp</p><ul><li>for <a href="x y">every</a> desk</li></ul>';
    const shown = (query: string, words: number) =>
      runTaskAtOnce(
        snippetTextTask(html, matcherOf(query), {
          words,
          highlightPreTag: "[",
          highlightPostTag: "]",
          snippetEllipsisText: "…",
          escapeHTML: false,
        }),
      ).value;
    expect(shown("lamp", 2)).toBe('<p class="big red"><b>Bright</b> [lamp]…');
    expect(shown("every", 1)).toBe("…[every]…");
    expect(shown("every", 2)).toBe('…for <a href="x y">[every]…');
    expect(shown("desk", 2)).toBe("…every</a> [desk]</li></ul>");
    expect(shown("big", 1)).toBe('<p class="big red"><b>Bright…');
  });

  it("counts words that hold a letter or digit", () => {
    expect(cut("b", "a - & b - c d", 3).value).toBe("a - &amp; [b] - c…");
  });

  it("shows at least one word, and marks the part of a quantity that is in view", () => {
    expect(cut("b", "a b c", 0).value).toBe("…[b]…");
    expect(cut("1.5 l", "kettle 1500 ml glass", 1).value).toBe("…[1500]…");
    expect(cut("1.5 l", "kettle 1500 ml glass", 2).value).toBe("…[1500 ml]…");
  });

  it("knows how much of the query the whole text holds", () => {
    expect(cut("bagless brush", LONG, 1).matchLevel).toBe("full");
    expect(cut("bagless lamp", LONG, 1).matchLevel).toBe("partial");
  });

  property("is a part of the text, whole words, at most as many as asked for", 400, (random) => {
    const bits = ["mug", "cup", "red-mug", "1500 ml", "<b>", "&", "-", "é\u0301", "東京", "18v", "\ud800x", "…"];
    const text = random.list(0, 25, () => random.pick(bits) + random.pick([" ", " ", "  ", "\n", ""])).join("");
    const words = random.between(1, 8);
    const options = {
      words,
      highlightPreTag: "\u{f0000}",
      highlightPostTag: "\u{f0001}",
      snippetEllipsisText: "\u{f0002}",
      escapeHTML: true,
    };
    const matcher = matcherOf(random.pick(["mug", "red cup", "1.5 l 京", "18v"]));
    const { value } = snippetText(text, matcher, options);
    const { value: raw } = snippetText(text, matcher, { ...options, escapeHTML: false });
    expect(text).toContain(raw.replaceAll(/[\u{f0000}-\u{f0002}]/gu, ""));
    expect(escapeHtml(raw)).toBe(value);
    const plain = value.replaceAll(/[\u{f0000}-\u{f0002}]/gu, "");
    expect(escapeHtml(text)).toContain(plain);
    const runs = (of: string) =>
      of
        .replaceAll("<b>", "")
        .split(/\s+/)
        .filter((run) => /[\p{L}\p{N}]/u.test(run));
    const unescaped = ["&lt;<", "&gt;>", "&amp;&"].reduce(
      (of, pair) => of.replaceAll(pair.slice(0, -1), pair.at(-1)!),
      plain,
    );
    expect(runs(unescaped).length).toBe(Math.min(words, runs(text).length));
    for (const run of runs(unescaped)) expect(runs(text)).toContain(run);
  });
});
