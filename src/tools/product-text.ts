// What a model reads of an answer: at most so many characters, the most needed first, and each piece whole.

import { type CatalogError, clipped } from "./arguments.js";
import type { ReadMapping } from "./catalog-mapping.js";
import { printedAmount } from "./prices.js";
import type { CatalogPrice, CatalogProduct, CatalogVariant, ProductOption } from "./products.js";

const LONGEST_TITLE = 120;
const LONGEST_TEXT = 160;
const LONGEST_OPTION = 120;

type Money = ReadMapping["money"];

/** How amounts are written, and how many characters there may be. */
interface Writing {
  readonly money: Money;
  readonly most: number;
}

/** A piece of text, and what may stand for it where there is too little room for all of it. */
type Piece = readonly [whole: string, short?: string];

/** A page of products, with how many there are of them in all, and what to ask for next. */
export function pageText(
  products: readonly CatalogProduct[],
  total: number,
  cursor: string | undefined,
  { money, most }: Writing,
): string {
  const head = countText(total);
  const next = `More: pagination.cursor ${cursor}`;
  const isShort = head.length + next.length + 1 <= most;
  const tail =
    cursor === undefined ? [] : [isShort ? next : "More: pagination.cursor, which is too long for this text."];
  const pieces = products.map((product) => productPiece(product, money));
  return fitted(head, pieces, tail, most);
}

/** Products with those of their variants that were asked for, and what was not found. */
export function lookupText(
  products: readonly CatalogProduct[],
  absent: readonly string[],
  { money, most }: Writing,
): string {
  const pieces = products.map((product): Piece => {
    const [whole, short] = productPiece(product, money);
    return [[whole, ...product.variants.map((variant) => variantLine(variant, money))].join("\n"), short!];
  });
  const missing = absent.map((id): Piece => [`Not found: ${clipped(id, LONGEST_TITLE)}`]);
  return fitted(countText(products.length), [...pieces, ...missing], [], most);
}

/** All of a product, as far as there is room. */
export function productText(product: CatalogProduct, { money, most }: Writing): string {
  const { options = [], selected, variants, description, title, url, tags, metadata } = product;
  const [, head] = productPiece(product, money);
  const chosen = selected?.map(({ name, label }) => `${name} ${label}`).join(", ");
  const facts = [
    chosen && `Selected: ${chosen}`,
    ...variants.slice(0, 1).map((variant) => variantLine(variant, money)),
    ...options.map((option) => `${option.name}: ${labelsOf(option)}`),
    ...variants.slice(1).map((variant) => variantLine(variant, money)),
    url,
    tags && `Tags: ${tags.join(", ")}`,
    metadata && JSON.stringify(metadata),
    description.plain !== title && description.plain,
  ];
  const pieces = facts.flatMap((fact): Piece[] => (typeof fact === "string" && fact !== "" ? [[fact]] : []));
  return fitted(head, pieces, [], most);
}

/** What is wrong with a call, as many mistakes as fit. */
export function mistakesText([first, ...others]: readonly CatalogError[], most: number): string {
  const pieces = others.map(({ content }): Piece => [content]);
  return fitted(first!.content, pieces, [], most);
}

function countText(count: number): string {
  return count === 1 ? "1 product is found." : `${count} products are found.`;
}

function productPiece(product: CatalogProduct, money: Money): [whole: string, short: string] {
  const { id, title, price_range, variants, options = [], rating, description } = product;
  const { min, max } = price_range;
  const prices = min.amount === max.amount ? printed(min, money) : `${printed(min, money)} to ${printed(max, money)}`;
  const named = `${id}: ${clipped(title, LONGEST_TITLE)}, ${prices}`;
  const facts = [
    named,
    stockOf(variants),
    ...options.map((option) => `${option.name} ${clipped(labelsOf(option), LONGEST_OPTION)}`),
    rating && `rated ${rating.value} of ${rating.scale_max}`,
  ].filter((fact) => fact !== undefined);
  const about = description.plain === title ? "" : `\n  ${clipped(description.plain, LONGEST_TEXT)}`;
  return [`${facts.join("; ")}${about}`, named];
}

function variantLine({ id, sku, title, price, availability }: CatalogVariant, money: Money): string {
  const stock = availability === undefined ? [] : [availability.available ? "in stock" : "out of stock"];
  const code = sku === undefined ? [] : [`SKU ${sku}`];
  return `  ${id}: ${[clipped(title, LONGEST_TITLE), printed(price, money), ...stock, ...code].join(", ")}`;
}

function stockOf(variants: readonly CatalogVariant[]): string | undefined {
  const known = variants.flatMap(({ availability }) => (availability === undefined ? [] : [availability.available]));
  if (known.length < variants.length) return undefined;
  return known.includes(true) ? "in stock" : "out of stock";
}

function labelsOf({ values }: ProductOption): string {
  const mark = (exists = true, available = true): string =>
    exists ? (available ? "" : " (out of stock)") : " (not with this selection)";
  return values.map(({ label, exists, available }) => `${label}${mark(exists, available)}`).join(", ");
}

function printed({ amount }: CatalogPrice, money: Money): string {
  return printedAmount(amount, money);
}

/** The head, then pieces as long as they fit, and the tail, which fits beside the head. */
function fitted(head: string, pieces: readonly Piece[], tail: readonly string[], most: number): string {
  const lines = [cut(head, most)];
  let left = most - lines[0]!.length - tail.reduce((sum, line) => sum + line.length + 1, 0);
  for (const [i, [whole, short]] of pieces.entries()) {
    const note = i === pieces.length - 1 ? 0 : NOTE_LENGTH;
    const piece = [whole, short].find((each) => each !== undefined && each.length + 1 + note <= left);
    if (piece === undefined) {
      if (left > NOTE_LENGTH) lines.push(`… and ${pieces.length - i} more, for which there is no room here.`);
      break;
    }
    lines.push(piece);
    left -= piece.length + 1;
  }
  return [...lines, ...tail].join("\n");
}

const NOTE_LENGTH = 60;

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
