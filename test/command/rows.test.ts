// The readers of feeds give the same rows wherever their text is cut, and the line of each.

import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openFeed } from "../../src/command/feed.js";
import { jsonLineRows, jsonRows, type Row } from "../../src/command/json-rows.js";
import { xmlRows } from "../../src/command/xml-rows.js";
import { tempPaths } from "../support/temp-folder.js";

const pathOf = tempPaths();

async function* cut(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function all(rows: AsyncIterable<Row[]>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const some of rows) found.push(...some.map((row) => ({ ...row, values: { ...row.values } })));
  return found;
}

const RECORDS = [{ id: 1, text: 'a "q\\" ]}, [{ ü' }, { id: 2, list: [[1], { a: "]" }], more: { b: {} } }, { id: 3 }];
const [first, second, third] = RECORDS.map((one) => JSON.stringify(one));
const placed = (...lines: number[]) => RECORDS.map((values, i) => ({ line: lines[i], values }));
const XML = `<?xml version="1.0"?>\n<!-- <item> & --><rss><item>\n<g:id>1</g:id><t><![CDATA[a & b ]] > c]]></t></item>
<item><g:id>2</g:id><t>x &amp; y & z; &#65;</t></item></rss>`;

const TEXTS: readonly (readonly [string, string, (pieces: AsyncIterable<string>) => AsyncIterable<Row[]>, unknown])[] =
  [
    ["an array", `[${first},\n${second}\n,\n\n${third}]\n`, jsonRows, placed(1, 2, 5)],
    [
      "an object",
      `{"a":{"x":[{}]},"n":["]"],\n"all":[${first},\n${second},${third}],"e":[]}`,
      jsonRows,
      placed(2, 3, 3),
    ],
    ["lines", `${first}\r\n\n${second}\n${third}`, (pieces) => jsonLineRows(pieces), placed(1, 3, 4)],
    [
      "XML",
      XML,
      (pieces) => xmlRows(pieces, XML),
      [
        { line: 2, values: { id: "1", t: "a & b ]] > c" } },
        { line: 4, values: { id: "2", t: "x & y & z; A" } },
      ],
    ],
  ];

it.each([1, 2, 3, 7, 50, 1000])("in pieces of %i characters", async (length) => {
  for (const [name, text, read, rows] of TEXTS) expect(await all(read(cut(text, length))), name).toEqual(rows);
});

it.each(["\n", "\r\n", "\r"])("CSV of many pieces, whose lines end with %j", async (end) => {
  const path = pathOf("feed.csv");
  const rows = Array.from({ length: 100_000 }, (_, i) => [`${i}`, `ü,"${end}€ ${"x".repeat(i % 97)}.`, "😀"]);
  const quoted = rows.map(([id, text, sign]) => `${id},"${text!.replaceAll('"', '""')}",${sign}`);
  writeFileSync(path, ["id,text,sign", ...quoted, "1,2", ""].join(end));
  const { format, rows: found } = await openFeed(path, { delimiter: undefined, encoding: undefined, onBytes() {} });
  const read = await all(found);
  expect(format).toBe("CSV");
  const cells = read.slice(0, -1).map(({ values }) => Object.values(values));
  expect(JSON.stringify(cells) === JSON.stringify(rows).replaceAll(JSON.stringify(end).slice(1, -1), "\\n")).toBe(true);
  // Compared as one text, since a list of differences takes minutes.
  expect(read.map(({ line }) => line).join()).toBe([...rows.keys(), rows.length].map((i) => 2 + 2 * i).join());
  expect(read.at(-1)).toMatchObject({ problem: "2 of 3 cells" });
});
