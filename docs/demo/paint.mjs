// Sober colours, and only where somebody looks: on a terminal that has them and is not asked to go without (NO_COLOR).

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
 * Text of unknown origin on one line, without anything that could command a terminal, cut to a width.
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
