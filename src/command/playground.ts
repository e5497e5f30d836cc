// `tandem-search playground`: writes a page that is a search engine with a catalogue in it. It opens by a double click, since all of it
// are classic scripts: a page that is a file may fetch nothing.

import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Arguments, Command } from "./command-line.js";
import { indexOf, PLACE, withFolder } from "./data-folder.js";
import { CommandError, UsageError } from "./errors.js";
import { plain, shown } from "./texts.js";

const OUT = "playground";
const TABLES: Readonly<Record<string, string>> = {
  "static-en": "static-en-2-65k-192-int4.bin",
  "static-de": "static-de-32k-192-int4.bin",
};
/** What the page of a playground has, and no other page. */
const BESIDE = '<script id="beside"';
/** Bytes of a packed file in one script. The page goes on between two of them. */
const PART = 3 << 18;

export const PLAYGROUND: Command = {
  name: "playground",
  takes: "",
  summary: "Writes a page to try a catalogue in: search, see why, tune and judge. It opens by a double click.",
  flags: {
    ...PLACE,
    data: { value: "FOLDER", help: "the folder that keeps the index (default: the page asks for a file)" },
    out: { value: "FOLDER", help: `the folder to write (default: ${OUT}); it is made, or has such a page` },
  },
  notes: "The page has all records of the index, and sends nothing anywhere.",
  example: "tandem-search playground --data ./search-data --out ./playground",
  run: writePlayground,
};

async function writePlayground(args: Arguments): Promise<void> {
  if (args.text("opensearch") !== undefined)
    throw new UsageError("playground needs a folder; export the index of a cluster, and import it to one.");
  const out = args.text("out") ?? OUT;
  const page = join(out, "index.html");
  const isOurs = existsSync(page) && (await readFile(page, "utf8")).includes(BESIDE);
  if (existsSync(out) && !isOurs)
    throw new CommandError(`${out} exists, and is no playground; name a new folder by --out.`);
  const opened = args.text("data") === undefined ? undefined : await snapshotOf(args);
  const from = new URL("playground/", import.meta.url);
  const beside = new Map<string, Buffer>();
  for (const [name, file] of [
    ["worker", "worker.js"],
    ["sentences", "sentences.js"],
    ["demo", "demo.jsonl"],
  ] as const)
    if (name !== "demo" || opened === undefined) beside.set(name, await readFile(new URL(file, from)));
  for (const name of opened?.tables ?? ["static-en"])
    beside.set(name, await readFile(new URL(`../${TABLES[name]}`, from)));
  if (opened !== undefined) beside.set("snapshot", opened.bytes);
  await mkdir(out, { recursive: true });
  // No record of an index that was here before stays.
  for (const file of await readdir(out)) if (/-\d+\.js$/.test(file)) await rm(join(out, file));
  const counts: Record<string, number> = {};
  for (const [name, bytes] of beside) {
    const scripts = await scriptsOf(name, bytes);
    counts[name] = scripts.length;
    for (const [i, script] of scripts.entries()) await writeFile(join(out, `${name}-${i}.js`), script);
  }
  for (const name of ["page.js", "style.css"]) await copyFile(new URL(name, from), join(out, name));
  const html = await readFile(new URL("index.html", from), "utf8");
  await writeFile(
    page,
    html
      .replace(/(<script id="beside"[^>]*>)\{\}/, `$1${JSON.stringify(counts)}`)
      .replace('data-index="catalogue"', `data-index="${opened?.name ?? "catalogue"}"`),
  );
  const what = opened === undefined ? "" : `, with ${shown(opened.records)} records of ${plain(opened.name)}`;
  process.stdout.write(`${plain(page)}${what}. Open it in a browser.\n`);
}

/** An index as bytes, and the word tables that its queries need. */
async function snapshotOf(args: Arguments) {
  const folder = await mkdtemp(join(tmpdir(), "tandem-search-"));
  try {
    return await withFolder(args, { readOnly: true }, async (engine) => {
      const index = await indexOf(engine, args);
      const file = join(folder, "snapshot");
      const { records } = await engine.writeSnapshot(index.name, file);
      const { effective } = await index.getSettings();
      const tables = Object.keys(TABLES).filter(
        (name) => String(effective.embedder).startsWith(name) || (name === "static-de" && effective.language === "de"),
      );
      return { name: index.name, records, bytes: await readFile(file), tables };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file as scripts that hand the page base64 of it, packed by gzip. */
async function scriptsOf(name: string, bytes: Buffer): Promise<string[]> {
  const packed = await promisify(gzip)(bytes);
  const scripts: string[] = [];
  for (let at = 0; at < packed.length; at += PART) {
    const part = packed.toString("base64", at, Math.min(at + PART, packed.length));
    scripts.push(`tandemSearch("${name}",${scripts.length},"${part}");\n`);
  }
  return scripts;
}
