// What a model reads of an answer: at most so many characters, the most needed first, and each piece whole.

import { type CatalogError, clipped, cut } from "./arguments.js";
import { printedPrice } from "./prices.js";
import type { CatalogProduct, CatalogVariant, ProductOption } from "./products.js";

const LONGEST_TITLE = 120;
const LONGEST_TEXT = 160;
const LONGEST_OPTION = 120;

/** A piece of text, and what may stand for it where there is too little room for all of it. */
type Piece = readonly [whole: string, short?: string];

/** What is said first, pieces as far as there is room, and what is said last in any case. */
export interface AnswerText {
  readonly head: string;
  readonly pieces: readonly Piece[];
  readonly tail?: readonly [whole: string, short: string] | undefined;
}

/** A page of products, with how many there are of them in all, and what to ask for next. */
export function pageText(products: readonly CatalogProduct[], total: number, cursor: string | undefined): AnswerText {
  const next = "More: pagination.cursor";
  const tail =
    cursor === undefined ? undefined : ([`${next} ${cursor}`, `${next}, which is too long for this text.`] as const);
  return { head: countText(total), pieces: products.map(productPiece), tail };
}

/** Products with those of their variants that were asked for, and what was not found. */
export function lookupText(products: readonly CatalogProduct[], absent: readonly string[]): AnswerText {
  const pieces = products.map((product): Piece => {
    const [whole, short] = productPiece(product);
    return [[whole, ...product.variants.map(variantLine)].join("\n"), short];
  });
  const missing = absent.map((id): Piece => [`Not found: ${clipped(id, LONGEST_TITLE)}`]);
  return { head: countText(products.length), pieces: [...pieces, ...missing] };
}

/** All of a product. */
export function productText(product: CatalogProduct): AnswerText {
  const { options = [], selected = [], variants, description, title, url, tags, metadata } = product;
  const [first, ...others] = variants.map(variantLine);
  const facts = [
    selected.length > 0 && `Selected: ${selected.map(({ name, label }) => `${name} ${label}`).join(", ")}`,
    first,
    ...options.map((option) => `${option.name}: ${labelsOf(option)}`),
    ...others,
    url,
    tags && `Tags: ${tags.join(", ")}`,
    metadata && JSON.stringify(metadata),
    description.plain !== title && description.plain,
  ];
  return { head: namedProduct(product), pieces: facts.flatMap((fact): Piece[] => (fact ? [[fact]] : [])) };
}

/** What is wrong with a call. */
export function mistakesText([first, ...others]: readonly CatalogError[]): AnswerText {
  return { head: first!.content, pieces: others.map(({ content }): Piece => [content]) };
}

function countText(count: number): string {
  return count === 1 ? "1 product is found." : `${count} products are found.`;
}

function namedProduct({ id, title, price_range: { min, max } }: CatalogProduct): string {
  const prices = min.amount === max.amount ? printedPrice(min) : `${printedPrice(min)} to ${printedPrice(max)}`;
  return `${id}: ${clipped(title, LONGEST_TITLE)}, ${prices}`;
}

function productPiece(product: CatalogProduct): readonly [whole: string, short: string] {
  const { title, variants, options = [], rating, description } = product;
  const named = namedProduct(product);
  const facts = [named];
  const stock = variants.map(({ availability }) => availability?.available);
  if (!stock.includes(undefined)) facts.push(stockText(stock.includes(true)));
  for (const option of options) facts.push(`${option.name} ${clipped(labelsOf(option), LONGEST_OPTION)}`);
  if (rating !== undefined) facts.push(`rated ${rating.value} of ${rating.scale_max}`);
  const about = description.plain === title ? "" : `\n  ${clipped(description.plain, LONGEST_TEXT)}`;
  return [`${facts.join("; ")}${about}`, named];
}

function variantLine({ id, sku, title, price, availability }: CatalogVariant): string {
  const facts = [clipped(title, LONGEST_TITLE), printedPrice(price)];
  if (availability !== undefined) facts.push(stockText(availability.available));
  if (sku !== undefined) facts.push(`SKU ${sku}`);
  return `  ${id}: ${facts.join(", ")}`;
}

function stockText(isAvailable: boolean): string {
  return isAvailable ? "in stock" : "out of stock";
}

function labelsOf({ values }: ProductOption): string {
  const mark = (exists = true, available = true): string =>
    exists ? (available ? "" : " (out of stock)") : " (not with this selection)";
  return values.map(({ label, exists, available }) => `${label}${mark(exists, available)}`).join(", ");
}

const NOTE_LENGTH = 60;

/** A text of at most so many characters. */
export function fitted({ head, pieces, tail }: AnswerText, most: number): string {
  const lines = [head.length <= most ? head : `${cut(head, most - 1)}…`];
  let left = most - lines[0]!.length;
  const end = tail?.find((form) => form.length < left);
  left -= end === undefined ? 0 : end.length + 1;
  for (const [i, forms] of pieces.entries()) {
    const note = i === pieces.length - 1 ? 0 : NOTE_LENGTH;
    const piece = forms.find((form) => form !== undefined && form.length + note < left);
    if (piece === undefined) {
      if (left > NOTE_LENGTH) lines.push(`… and ${pieces.length - i} more, for which there is no room here.`);
      break;
    }
    lines.push(piece);
    left -= piece.length + 1;
  }
  return [...lines, ...(end === undefined ? [] : [end])].join("\n");
}
