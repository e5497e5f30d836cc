// What each word of a title is: its head, perhaps its head, or a modifier.

import { expect, it } from "vitest";
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

it("the last word of a phrase is its head", () => {
  expect(marked("Laptop lock")).toBe("laptop LOCK");
  expect(marked("Laptop, grey")).toBe("LAPTOP grey");
  expect(marked("Jacket / Down jacket")).toBe("jacket down JACKET");
});

it("a head behind the first phrase with one may be a quality of it", () => {
  expect(marked("Cola, cherry")).toBe("COLA cherry?");
  expect(marked("Garden hose - brass nozzle (set)")).toBe("garden HOSE brass nozzle? set?");
  expect(marked("Tea. Strong.")).toBe("TEA strong?");
  expect(marked("Black, leather, belt")).toBe("black leather BELT");
});

it("measures, codes and short words in capitals behind a head are specifications of it", () => {
  expect(marked("Webcam 1080p 30 fps")).toMatch(/^WEBCAM /);
  expect(marked("Motherboard LGA 1156 (Socket H) ATX")).toMatch(/^MOTHERBOARD /);
  expect(marked("ProBook Notebook PC")).toBe("probook NOTEBOOK PC");
  expect(marked("Webcam 1080 cover")).toBe("webcam? 1080 COVER");
  expect(marked("Charger/dock USB hub")).toBe("charger dock usb HUB");
  expect(marked("NOTEBOOK PC CASE")).toBe("notebook pc CASE");
});

it("a word with a capital behind a head is a name of it, where most nouns are in lower case", () => {
  expect(marked("Dome tent Fjell")).toBe("dome TENT FJELL");
  expect(marked("Sofa Malm, 3 seats")).toMatch(/^SOFA MALM 3 /);
  expect(marked("Tent pegs, 10 pcs")).toMatch(/^tent PEGS /);
  expect(marked("Dome Tent Pegs")).toBe("dome tent PEGS");
  expect(marked("Camera Battery - replaces Halm")).toMatch(/^camera BATTERY /);
});

it("what a thing is for, and what it has, is not its head; unless the title begins so", () => {
  expect(marked("Case for phone")).toBe("CASE for phone");
  expect(marked("Pot with lid")).toBe("POT with lid");
  expect(marked("Chair in oak")).toBe("CHAIR in oak");
  expect(marked("For dogs")).toBe("for DOGS");
  expect(marked("Monitor 27 in stand")).toBe("MONITOR 27 in STAND");
});

it("attributes after a head change nothing, and are no heads", () => {
  expect(marked("Shoes black leather")).toBe("SHOES black leather");
  expect(marked("Wireless mouse black")).toBe("wireless MOUSE black");
  expect(marked("Black")).toBe("black");
});

it("a quantity ends a phrase, and a number or a code may", () => {
  expect(marked("Kettle 1.7 l steel")).toMatch(/^KETTLE /);
  expect(marked("Printer 1200 dpi paper")).toBe("PRINTER 1200 dpi PAPER");
  expect(marked("Phone 13 case")).toBe("phone? 13 CASE");
  expect(marked("Tissues three ply")).toBe("TISSUES three ply");
  expect(marked("Dwarfs seven")).toBe("DWARFS seven");
  expect(marked("Socks five pack")).toBe("SOCKS five pack");
  expect(marked("Router AX55 stand")).toMatch(/^router\? .*STAND$/);
});

it("words that are alike have one role", () => {
  expect(marked("Salt and pepper mill")).toBe("salt and pepper MILL");
  expect(marked("Forks and spoons")).toBe("FORKS and SPOONS");
  expect(marked("Washer/dryer hose")).toBe("washer dryer HOSE");
  expect(marked("Hi-fi rack")).toBe("hi fi RACK");
  expect(marked("Tee-shirt")).toBe("tee SHIRT");
});

it("some words are units after a number only", () => {
  expect(marked("Soap 3 pieces")).toBe("SOAP 3 pieces");
  expect(marked("Battery pack")).toBe("battery PACK");
});

it("the head of a query is the last noun before what it is for", () => {
  const head = (query: string): string | undefined => {
    const words = query.split(" ");
    const syntaxes = words.map((word) => ENGLISH_TITLES.syntaxOf(/^[0-9]+$/.test(word) ? "number" : "word", word));
    return words[headOf(syntaxes, ENGLISH_TITLES, () => true).head];
  };
  expect(head("laser printer")).toBe("printer");
  expect(head("shoes black")).toBe("shoes");
  expect(head("backpack for laptop")).toBe("backpack");
  expect(head("for dogs")).toBe("dogs");
  expect(head("battery pack")).toBe("pack");
  expect(head("soap 3 pack")).toBe("soap");
  expect(head("black")).toBeUndefined();
});
