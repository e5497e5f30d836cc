// What each word of a title is: its head, perhaps its head, or a modifier.

import { describe, expect, it } from "vitest";
import { PAIR_MARK } from "../../src/analysis/scan-tokens.js";
import { readTitleParts } from "../../src/analysis/title-parts.js";
import { ENGLISH_TITLES, HEAD, headOf, WEAK_HEAD } from "../../src/analysis/title-roles.js";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";

/** The title with heads in capitals, and a question mark after weak ones. */
function marked(title: string): string {
  const parts: string[] = [];
  const isBegun = (): boolean => /^[!?]?$/.test(parts.at(-1)!);
  readTitleParts(title, ENGLISH_WORDS, 80, {
    begin: (role) => parts.push(role === HEAD ? "!" : role === WEAK_HEAD ? "?" : ""),
    known: ({ terms }, from) => {
      if (isBegun() && !terms[from]!.startsWith(PAIR_MARK)) parts[parts.length - 1] += terms[from]!.replace(/.*~/, "");
    },
    one: () => {},
  });
  return parts
    .map((part) => (part[0] === "!" ? part.slice(1).toUpperCase() : part[0] === "?" ? `${part.slice(1)}?` : part))
    .join(" ");
}

/** By rule, titles and what their words are; of what is left out behind an ellipsis, and between, nothing is said. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  "the last word of a phrase is its head": [
    ...["Laptop lock = laptop LOCK", "Laptop, grey = LAPTOP grey", "Jacket / Down jacket = jacket down JACKET"],
  ],
  "a head behind the first phrase with one may be a quality of it": [
    ...["Cola, cherry = COLA cherry?", "Garden hose - brass nozzle (set) = garden HOSE brass nozzle? set?"],
    ...["Tea. Strong. = TEA strong?", "Black, leather, belt = black leather BELT"],
  ],
  "measures, codes and short words in capitals behind a head are specifications of it": [
    ...["Webcam 1080p 30 fps = WEBCAM …", "Motherboard LGA 1156 (Socket H) ATX = MOTHERBOARD …"],
    ...["ProBook Notebook PC = probook NOTEBOOK PC", "Webcam 1080 cover = webcam? 1080 COVER"],
    ...["Charger/dock USB hub = charger dock usb HUB", "NOTEBOOK PC CASE = notebook pc CASE"],
  ],
  "a word with a capital behind a head is a name of it, where most nouns are in lower case": [
    ...["Dome tent Fjell = dome TENT FJELL", "Sofa Malm, 3 seats = SOFA MALM 3 …"],
    ...["Tent pegs, 10 pcs = tent PEGS …", "Dome Tent Pegs = dome tent PEGS"],
    ...["Camera Battery - replaces Halm = camera BATTERY …"],
  ],
  "what a thing is for, and what it has, is not its head; unless the title begins so": [
    ...["Case for phone = CASE for phone", "Pot with lid = POT with lid", "Chair in oak = CHAIR in oak"],
    ...["For dogs = for DOGS", "Monitor 27 in stand = MONITOR 27 in STAND"],
  ],
  "attributes after a head change nothing, and are no heads": [
    ...["Shoes black leather = SHOES black leather", "Wireless mouse black = wireless MOUSE black"],
    ...["Black = black"],
  ],
  "a quantity ends a phrase, and a number or a code may": [
    ...["Kettle 1.7 l steel = KETTLE …", "Printer 1200 dpi paper = PRINTER 1200 dpi PAPER"],
    ...["Phone 13 case = phone? 13 CASE", "Tissues three ply = TISSUES three ply"],
    ...["Dwarfs seven = DWARFS seven", "Socks five pack = SOCKS five pack"],
    ...["Router AX55 stand = router? … STAND"],
  ],
  "words that are alike have one role": [
    ...["Salt and pepper mill = salt and pepper MILL", "Forks and spoons = FORKS and SPOONS"],
    ...["Washer/dryer hose = washer dryer HOSE", "Hi-fi rack = hi fi RACK", "Tee-shirt = tee SHIRT"],
  ],
  "some words are units after a number only": [...["Soap 3 pieces = SOAP 3 pieces", "Battery pack = battery PACK"]],
};

describe.each(Object.entries(ROLES))("%s", (_, rows) => {
  it.each(rows)("%s", (row) => {
    const [title = "", expected = ""] = row.split(" = ");
    const [begin = "", end = ""] = expected.split("…");
    const parts = marked(title);
    if (expected.includes("…")) expect([parts.startsWith(begin), parts.endsWith(end)], parts).toEqual([true, true]);
    else expect(parts).toBe(expected);
  });
});

it.each([
  ...["laser printer = printer", "shoes black = shoes", "backpack for laptop = backpack", "for dogs = dogs"],
  ...["battery pack = pack", "soap 3 pack = soap", "black = "],
])("the head of a query is the last noun before what it is for: %s", (row) => {
  const [query = "", head] = row.split(" = ");
  const words = query.split(" ");
  const syntaxes = words.map((word) => ENGLISH_TITLES.syntaxOf(/^[0-9]+$/.test(word) ? "number" : "word", word));
  expect(words[headOf(syntaxes, ENGLISH_TITLES, () => true).head] ?? "").toBe(head);
});
