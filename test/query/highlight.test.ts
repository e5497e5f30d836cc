import { describe, expect, it } from "vitest";
import { escapeHtml, highlightText } from "../../src/query/shape/highlight.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { matcherOf } from "../support/query-matcher.js";
import { property, type Random } from "../support/random.js";

const PLAIN = { escapeHTML: true, matchedPositions: false };
const SQUARE = { ...PLAIN, highlightPreTag: "[", highlightPostTag: "]" };
const RAW = { ...SQUARE, escapeHTML: false, matchedPositions: true };
const highlight = (query: string, text: string, options: Parameters<typeof highlightText>[2] = SQUARE) =>
  runTaskAtOnce(highlightText(text, matcherOf(query), options));

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
    expect(highlight("large mugs", "Café mug <b>large</b>")).toEqual({
      value: "Café [mug] &lt;b&gt;[large]&lt;/b&gt;",
      ...{ matchLevel: "full", fullyHighlighted: false, matchedWords: ["mug", "larg"] },
    });
    expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;");
  });

  it("marks words beside tags and with tags in them, but never a tag, an attribute or a name of an entity", () => {
    const raw = (query: string, text: string) => highlight(query, text, RAW);
    expect(raw("strong p amp", "<p><strong>Bright</strong> &amp; big</p>").matchedWords).toEqual([]);
    expect(raw("bright", "<p class='bright'><b>Bright</b>").value).toBe("<p class='bright'><b>[Bright]</b>");
    const split = raw("unbelievable", "un<b>believ</b>able lamp");
    expect(split.value).toBe("[un]<b>[believ]</b>[able] lamp");
    expect(split.matchedPositions).toEqual(positionsIn("[un]123[believ]1234[able]", ["[", "]"]));
    expect(raw("loreal", "L&#39;Or&eacute;al Paris").value).toBe("[L&#39;Or&eacute;al] Paris");
    expect(raw("lamp", "red<br>lamp").value).toBe("red<br>[lamp]");
    expect(raw("5 cm", "<td>5</td><td>cm</td>").value).toBe("<td>[5]</td><td>[cm]</td>");
    expect(raw("lamp", "<b>lamp</b>").fullyHighlighted).toBe(true);
    expect(highlight("cafe", "<i>caf&eacute;</i> <5").value).toBe("&lt;i&gt;[caf&amp;eacute;]&lt;/i&gt; &lt;5");
  });

  it.each([
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
    ["filter", "👍 ﬁlter, Ｆｉｌｔｅｒ ㎏ filter", "👍 [ﬁlter], [Ｆｉｌｔｅｒ] ㎏ [filter]"],
    ["nothing", "a filter", "a filter"],
  ])("of %j in %s is %s, with positions in UTF-16 units of the text as it is stored", (query, text, value) => {
    expect(highlight(query, text).value).toBe(value);
    const raw = value.replaceAll("&#39;", "'");
    const positions = positionsIn(raw, ["[", "]"]);
    expect(highlight(query, text, RAW)).toMatchObject({ value: raw, matchedPositions: positions });
  });

  it.each<[query: string, text: string, level: string, isWhole: boolean, words: string[]]>([
    ["red mug", "blue cup", "none", false, []],
    ["red mug", "red cup", "partial", false, ["red"]],
    ["red mug", "mug, red, mug", "full", true, ["mug", "red"]],
    ["noise cancelling", "noise-cancelling", "full", true, ["nois", "cancel"]],
    ["", "mug", "none", false, []],
    ["mug", "", "none", false, []],
    ["東京", "東京都", "full", false, ["東京"]],
  ])("says how much of %j is in %j", (query, text, matchLevel, fullyHighlighted, matchedWords) => {
    expect(highlight(query, text)).toMatchObject({ matchLevel, fullyHighlighted, matchedWords });
  });

  const [OPEN, CLOSE] = ["\u{f0000}", "\u{f0001}"];
  const TAGS = { ...PLAIN, highlightPreTag: OPEN, highlightPostTag: CLOSE };
  const PARTS = `mug|Mugs| | |<b>|&|"|'|\ud800|\udc00|e\u0301|\u0301|wi-fi|18v|1500 ml|½|ﬁ|東京|都|👍|\u200d|ㄱ|ㅏ|-|™|İ|x|2 x 4|\u00ad`;
  const parts = PARTS.split("|");
  const randomText = (random: Random) => random.list(0, 30, () => random.pick(parts)).join("");

  property("without tags, the value is the escaped text; tags come in pairs and cut no character", 400, (random) => {
    const [text, query] = [randomText(random), randomText(random)];
    const { value } = highlight(query, text, TAGS);
    const raw = highlight(query, text, { ...TAGS, escapeHTML: false, matchedPositions: true });
    const untagged = (tagged: string) => tagged.replaceAll(OPEN, "").replaceAll(CLOSE, "");
    expect([untagged(raw.value), untagged(value)]).toEqual([text, escapeHtml(text)]);
    expect(raw.matchedPositions).toEqual(positionsIn(raw.value, [OPEN, CLOSE]));
    expect(value.replace(/[^\u{f0000}\u{f0001}]/gu, "")).toMatch(/^(\u{f0000}\u{f0001})*$/u);
    expect(value).not.toContain(OPEN + CLOSE);
    expect(/[\u{f0000}\u{f0001}]\p{M}/u.test(value.slice(value.search(/[^\p{M}\u{f0000}]/u)))).toBe(false);
  });
});
