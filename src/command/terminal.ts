// What the command prints: colours and bars on terminals only.

import { styleText } from "node:util";
import { SingleBar } from "cli-progress";
import { shown } from "./texts.js";

export type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

/** A function that colours texts for a stream, if that is a terminal with colours and NO_COLOR is not set. */
export function painterFor(stream: NodeJS.WriteStream): Paint {
  const colours = stream.isTTY === true && !process.env.NO_COLOR && stream.hasColors();
  return (format, text) => (colours ? styleText(format, text) : text);
}

/** Marks around what matched in a text, which take no room: no text of a record is left with one. */
export const MARK = "\ue000";
export const END = "\ue001";
const MARKS = /[\ue000\ue001]/g;
const MARKED = /\ue000([^\ue000\ue001]*)\ue001/g;

function widthOf(cell: string): number {
  return cell.replace(MARKS, "").length;
}

/** Rows as a table with a head; what is marked is bold, and shares stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => widthOf(row[i]!))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const gap = " ".repeat(Math.max(0, widths[i]! - widthOf(cell)));
        return rows[0]?.[i]?.endsWith("%") ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd();
  const text = [paint("bold", line(head)), ...rows.map(line)].map((row) => `${row}\n`).join("");
  return text.replace(MARKED, (_, matched: string) => paint("bold", matched)).replace(MARKS, "");
}

/** A bar on stderr, if that is a terminal, of how far some work has come. */
export function startBar(title: string, total: number): { update(done: number, rows: number): void; stop(): void } {
  if (process.stderr.isTTY !== true) return { update() {}, stop() {} };
  const bar = new SingleBar({
    stream: process.stderr,
    format: `${title} [{bar}] {percentage}%  {records} rows`,
    barsize: 32,
    clearOnComplete: true,
    // Otherwise an interrupted run would leave the terminal without line wrapping.
    linewrap: true,
  });
  bar.start(total, 0, { records: 0 });
  return {
    update: (done, rows) => bar.update(Math.min(done, total), { records: shown(rows) }),
    stop: () => bar.stop(),
  };
}
