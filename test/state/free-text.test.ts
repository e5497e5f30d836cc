import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { isFreeText } from "../../src/state/read-fields.js";

const MACHINE = [
  "https://example.org/a?b=c",
  "HTTP://EXAMPLE.ORG",
  " ftp://host/file ",
  "www.example.org",
  "mailto:me@example.org",
  "data:image/png;base64,iVBORw0KGgo=",
  "s3://bucket/key",
  "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
  "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
  "2024-05-06",
  "2024-05-06T07:08:09.123Z",
  "2024-05-06 07:08",
  "2024-05-06T07:08:09+02:00",
];

const FREE = [
  "Cordless drill",
  "see https://example.org for more",
  "https://example.org is our shop",
  "www is a prefix",
  "data: 5, 6",
  "Order by 2024-05-06",
  "2024",
  "3f2504e0-4f89",
  "wh-1000xm4",
  "a://b",
  "",
];

describe("free text", () => {
  for (const value of MACHINE) it(`is not ${value}`, () => expect(isFreeText(value)).toBe(false));
  for (const value of FREE) it(`is ${JSON.stringify(value)}`, () => expect(isFreeText(value)).toBe(true));
});

describe("telling free text, in time that grows with the length,", () => {
  const families: Readonly<Record<string, string>> = {
    "many commas after data:": `data:${",".repeat(1_000_000)}\nx`,
    "a long scheme": `${"a".repeat(1_000_000)}://x`,
    "a long address with a blank at its end": `https://${"a/".repeat(500_000)} x`,
    "dashes without an end": "0-".repeat(500_000),
    "digits without an end": "2024-05-06T07:08:09.".padEnd(1_000_000, "1"),
    "blanks around nothing": `x${" ".repeat(1_000_000)}x`,
  };
  for (const [name, text] of Object.entries(families))
    it(`comes to an end for ${name}`, () => {
      // A run-away regular expression cannot be stopped from inside; the other context only makes the test end.
      const answer: unknown = runInNewContext("isFreeText(text)", { isFreeText, text }, { timeout: 10_000 });
      expect(typeof answer).toBe("boolean");
    });
});
