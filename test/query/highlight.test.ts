import { describe, expect, it } from "vitest";
import { escapeHtml, highlightText as highlightTextTask } from "../../src/query/shape/highlight.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { matcherOf } from "../support/query-matcher.js";
import { property, type Random } from "../support/random.js";

const highlightText = (...args: Parameters<typeof highlightTextTask>) => runTaskAtOnce(highlightTextTask(...args));

const PLAIN = { escapeHTML: true, matchedPositions: false };
const EM = { ...PLAIN, highlightPreTag: "<em>", highlightPostTag: "</em>" };
const SQUARE = { ...PLAIN, highlightPreTag: "[", highlightPostTag: "]" };
const shown = (query: string, text: string) => highlightText(text, matcherOf(query), SQUARE).value;

/** Where the parts between tags are, once the tags are gone: read unit by unit, whatever made the value. */
function positionsIn(value: string, [open, close]: readonly [string, string]): { start: number; length: number }[] {
  const positions: { start: number; length: number }[] = [];
  let units = 0;
  let start = 0;
  for (let at = 0; at < value.length; ) {
    if (value.startsWith(open, at)) start = units;
    else if (value.startsWith(close, at)) positions.push({ start, length: units - start });
    else {
      units++;
      at++;
      continue;
    }
    at += value.startsWith(open, at) ? open.length : close.length;
  }
  return positions;
}

describe("highlightText", () => {
  it("tags the words that matched and escapes the rest", () => {
    expect(highlightText("Café mug <b>large</b>", matcherOf("large mugs"), EM)).toEqual({
      value: "Café <em>mug</em> &lt;b&gt;<em>large</em>&lt;/b&gt;",
      matchLevel: "full",
      fullyHighlighted: false,
      matchedWords: ["mug", "larg"],
    });
  });

  it("marks words beside tags and with tags in them, but never a tag, an attribute or a name of an entity", () => {
    const raw = (query: string, text: string) =>
      highlightText(text, matcherOf(query), { ...SQUARE, escapeHTML: false, matchedPositions: true });
    expect(raw("strong p amp", "<p><strong>Bright</strong> &amp; big</p>").matchedWords).toEqual([]);
    expect(raw("bright", "<p class='bright'><b>Bright</b>").value).toBe("<p class='bright'><b>[Bright]</b>");
    const split = raw("unbelievable", "un<b>believ</b>able lamp");
    expect(split.value).toBe("[un]<b>[believ]</b>[able] lamp");
    expect(split.matchedPositions).toEqual([0, 5, 15].map((start, i) => ({ start, length: [2, 6, 4][i] })));
    expect(raw("loreal", "L&#39;Or&eacute;al Paris").value).toBe("[L&#39;Or&eacute;al] Paris");
    expect(raw("lamp", "red<br>lamp").value).toBe("red<br>[lamp]");
    expect(raw("5 cm", "<td>5</td><td>cm</td>").value).toBe("<td>[5]</td><td>[cm]</td>");
    expect(raw("lamp", "<b>lamp</b>").fullyHighlighted).toBe(true);
    expect(shown("cafe", "<i>caf&eacute;</i> <5")).toBe("&lt;i&gt;[caf&amp;eacute;]&lt;/i&gt; &lt;5");
  });

  for (const [query, text, value] of [
    ["cafe", "Café mug", "[Café] mug"],
    ["café", "cafe and Cafe\u0301s", "[cafe] and [Cafe\u0301s]"],
    ["running shoe", "Shoes for runs", "[Shoes] for [runs]"],
    ["red mug", "red mug", "[red] [mug]"],
    ["wh-1000xm4", "Sony WH-1000XM4 black", "Sony [WH-1000XM4] black"],
    ["wh1000xm4", "Sony WH-1000XM4 black", "Sony [WH-1000XM4] black"],
    ["18v", "drill (18V)", "drill ([18V])"],
    ["wifi", "Wi-Fi router", "[Wi-Fi] router"],
    ["wi-fi", "Wi-Fi, wifi, wi fi", "[Wi-Fi], [wifi], [wi] [fi]"],
    ["cancelling", "noise-cancelling", "noise-[cancelling]"],
    ["men", "men's shirt", "[men&#39;s] shirt"],
    ["東京", "東京タワー", "[東京]タワー"],
    ["東京タワー", "新東京タワー店", "新[東京タワー]店"],
    ["机", "木の机です", "木の[机]です"],
    ["𠮷野", "牛𠮷野家", "牛[𠮷野]家"],
    ["1.5 l", "Kettle 1500 ml", "Kettle [1500 ml]"],
    ["0.5 tb", "500GB SSD", "[500GB] SSD"],
    ['55"', "TV 55-inch", "TV [55-inch]"],
    ["filter", "ﬁlter", "[ﬁlter]"],
    ["strasse", "Straße", "[Straße]"],
    ["istanbul", "İstanbul", "[İstanbul]"],
    ["1/2 inch", "½ inch bit", "[½ inch] bit"],
    ["zero", "zero\u200bwidth", "zero\u200bwidth"],
    ["mug", "👍🏽 mug 👩‍👩‍👧", "👍🏽 [mug] 👩‍👩‍👧"],
    ["", "all of it", "all of it"],
  ] as const)
    it(`of ${JSON.stringify(query)} in ${text}`, () => {
      expect(shown(query, text)).toBe(value);
      const raw = value.replaceAll("&#39;", "'");
      const options = { ...SQUARE, escapeHTML: false, matchedPositions: true };
      const found = highlightText(text, matcherOf(query), options);
      expect(found.value).toBe(raw);
      expect(found.matchedPositions).toEqual(positionsIn(raw, ["[", "]"]));
    });

  it("has the positions in UTF-16 units of the text as it is stored", () => {
    const options = { ...EM, matchedPositions: true };
    const text = "👍 ﬁlter, Ｆｉｌｔｅｒ & <b>㎏ filter</b>";
    const { value, matchedPositions } = highlightText(text, matcherOf("filter"), options);
    expect(matchedPositions).toEqual([
      { start: 3, length: 5 },
      { start: 10, length: 6 },
      { start: 24, length: 6 },
    ]);
    expect(matchedPositions!.map(({ start, length }) => text.slice(start, start + length))).toEqual([
      "ﬁlter",
      "Ｆｉｌｔｅｒ",
      "filter",
    ]);
    expect(value).toBe("👍 <em>ﬁlter</em>, <em>Ｆｉｌｔｅｒ</em> &amp; &lt;b&gt;㎏ <em>filter</em>&lt;/b&gt;");
    expect(highlightText(text, matcherOf("nothing"), options).matchedPositions).toEqual([]);
  });

  it("says how much matched", () => {
    const level = (query: string, text: string) => {
      const { matchLevel, fullyHighlighted, matchedWords } = highlightText(text, matcherOf(query), EM);
      return [matchLevel, fullyHighlighted, matchedWords];
    };
    expect(level("red mug", "blue cup")).toEqual(["none", false, []]);
    expect(level("red mug", "red cup")).toEqual(["partial", false, ["red"]]);
    expect(level("red mug", "mug, red, mug")).toEqual(["full", true, ["mug", "red"]]);
    expect(level("noise cancelling", "noise-cancelling")).toEqual(["full", true, ["nois", "cancel"]]);
    expect(level("", "mug")).toEqual(["none", false, []]);
    expect(level("mug", "")).toEqual(["none", false, []]);
    expect(level("東京", "東京都")).toEqual(["full", false, ["東京"]]);
  });

  it("escapes what HTML reads", () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;",
    );
  });

  const TAGS = { ...PLAIN, highlightPreTag: "\u{f0000}", highlightPostTag: "\u{f0001}" };
  const parts = [
    "mug",
    "Mugs",
    " ",
    " ",
    "<b>",
    "&",
    '"',
    "'",
    "\ud800",
    "\udc00",
    "e\u0301",
    "\u0301",
    "wi-fi",
    "18v",
    "1500 ml",
  ];
  const more = ["½", "ﬁ", "東京", "都", "👍", "\u200d", "ㄱ", "ㅏ", "-", "™", "İ", "x", "2 x 4", "\u00ad"];
  const randomText = (random: Random) => random.list(0, 30, () => random.pick([...parts, ...more])).join("");

  property(
    "without its tags, the value is the escaped text; tags come in pairs and cut no character",
    400,
    (random) => {
      const text = randomText(random);
      const matcher = matcherOf(randomText(random));
      const { value } = highlightText(text, matcher, TAGS);
      const raw = highlightText(text, matcher, { ...TAGS, escapeHTML: false, matchedPositions: true });
      expect(raw.value.replaceAll(TAGS.highlightPreTag, "").replaceAll(TAGS.highlightPostTag, "")).toBe(text);
      expect(raw.matchedPositions).toEqual(positionsIn(raw.value, [TAGS.highlightPreTag, TAGS.highlightPostTag]));
      expect(value.replaceAll(TAGS.highlightPreTag, "").replaceAll(TAGS.highlightPostTag, "")).toBe(escapeHtml(text));
      const tags = [...value].filter(
        (character) => character === TAGS.highlightPreTag || character === TAGS.highlightPostTag,
      );
      expect(tags.join("")).toBe((TAGS.highlightPreTag + TAGS.highlightPostTag).repeat(tags.length / 2));
      expect(value.includes(TAGS.highlightPreTag + TAGS.highlightPostTag)).toBe(false);
      expect(/[\u{f0000}\u{f0001}]\p{M}/u.test(value.slice(value.search(/[^\p{M}\u{f0000}]/u)))).toBe(false);
    },
  );
});
