// Colours for terminals that support them, unless NO_COLOR is set.

import { styleText } from "node:util";

/** @typedef {(format: Parameters<typeof styleText>[0], text: string) => string} Paint */

/**
 * @param {NodeJS.WriteStream} stream
 * @returns {Paint}
 */
export function painterFor(stream) {
  const colours = stream.isTTY === true && !process.env.NO_COLOR && stream.hasColors();
  return (format, text) => (colours ? styleText(format, text, { validateStream: false }) : text);
}

/**
 * An untrusted text on one line, without control characters, cut to a width.
 * @param {unknown} value
 * @param {number} [width]
 */
export function plain(value, width = Number.POSITIVE_INFINITY) {
  const text = String(value)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = text.length > width ? [...text] : [];
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : text;
}
