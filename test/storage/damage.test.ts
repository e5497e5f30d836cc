// Damage: the bits of a small data folder changed one by one, each file cut at many lengths, lost, or longer than it was. Whatever is
// wrong is told with the name of its file, or changes no answer. The long size changes every bit, and cuts at every length.

import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type SearchEngine, SearchError } from "../../src/index.js";
import { answersOf, asText, contentOf, FOLDER, openFolder } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { PATIENCE } from "../support/patience.js";
import { seq } from "../support/seq.js";
import { FAST, SCALE } from "../support/size.js";

const SETTINGS = {
  embedder: false,
  searchableAttributes: ["title"],
  attributesForFaceting: ["step", "brand"],
} as const;
const TIMEOUT = 10 * 60_000 * PATIENCE;
/** One bit in so many is changed, and files are cut at one length in so many and at all of the last ones. */
const BIT_STEP = FAST ? 64 : SCALE > 1 ? 1 : 4;
const CUT_STEP = FAST ? 32 : SCALE > 1 ? 1 : 4;
const LAST_LENGTHS = FAST ? 16 : 64;

/** A folder, and what it held after each call. */
interface Sample {
  readonly disk: FakeDisk;
  readonly contents: readonly string[];
  readonly answers: string;
}

/** A folder with a manifest, segments in files, and a log with the last changes. */
async function sample(isClosed: boolean): Promise<Sample> {
  const disk = new FakeDisk();
  let engine = await openFolder(disk);
  await engine.createIndex("a", SETTINGS);
  await engine.addRecords("a", [
    { id: 1, title: "red lamp", step: 4, brand: "Hem" },
    { id: 2, title: "oak drill", step: 5, vec: [1, 2] },
  ]);
  await engine.createIndex("filler", SETTINGS);
  // A folder that is closed with much in its log gets segments in files.
  for (let i = 0; i < 6; i++)
    await engine.addRecords(
      "filler",
      seq(4, (n) => ({ id: n, title: "lamp", filler: "-".repeat(60_000) })),
    );
  await engine.deleteIndex("filler");
  await engine.close();
  engine = await openFolder(disk);
  const contents = [asText(await contentOf(engine))];
  const calls = [
    () => engine.copyIndex("a", "b"),
    () => engine.addRecords("b", [{ id: 3, title: "lost red sofa", note: "red" }]),
    () => engine.deleteRecords("a", [2]),
    () => engine.updateSettings("b", { customRanking: ["desc(step)"] }),
  ];
  for (const call of calls) {
    await call();
    contents.push(asText(await contentOf(engine)));
  }
  const answers = await answersOf(engine);
  if (!isClosed) return { disk: disk.copy(), contents, answers };
  await engine.close();
  return { disk, contents, answers };
}

/** The files of a disk by their names, as text that can be compared. */
const filesOf = (disk: FakeDisk): Map<string, string> =>
  new Map([...disk.files(FOLDER)].map(([path, bytes]) => [basename(path), Buffer.from(bytes).toString("latin1")]));

/** What damage is allowed to lead to besides being told. */
interface Allowed {
  /** The state before so many of the last calls, at most, if `recovery` tells of it. */
  readonly earlier: number;
  /** Nothing to be told. */
  readonly unseen: boolean;
}

/** The damage that a refusal tells of. */
function expectTold(error: unknown, file: string): void {
  if (!(error instanceof SearchError)) throw error;
  expect(error.error).toMatch(/^storage_(corrupt|version)$/);
  expect(error.details?.file).toBe(file);
}

/** What an engine says; undefined: it was refused, because of the damage of this file. */
async function unlessTold<T>(file: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    expectTold(error, file);
    return undefined;
  }
}

/** Opens a damaged folder and compares what it says with what it held. */
async function expectDetected(disk: FakeDisk, file: string, { contents, answers }: Sample, allowed: Allowed) {
  const damaged = filesOf(disk);
  const engine = await unlessTold(file, () => openFolder(disk));
  expect(disk.openFiles > 0).toBe(engine !== undefined);
  if (engine === undefined) {
    expect(filesOf(disk)).toEqual(damaged);
    return;
  }
  const { recovered } = engine.recovery();
  const content = await unlessTold(file, async () => asText(await contentOf(engine)));
  if (content !== undefined && content !== contents.at(-1)) {
    expect(recovered).toBe(true);
    expect(contents.slice(-1 - allowed.earlier)).toContain(content);
  } else await expectAnswers(engine, file, answers);
  const { ok, problems } = await engine.checkStorage();
  expect(ok).toBe(problems.length === 0);
  for (const problem of problems) expect(problem.file).toBe(file);
  if (content === undefined) expect(ok).toBe(false);
  const isMended = filesOf(disk).get(file) !== damaged.get(file);
  expect(recovered || !ok || isMended || allowed.unseen).toBe(true);
  await engine.close();
  expect(disk.openFiles).toBe(0);
}

/** Each answer is right, or refused because of the damage. */
async function expectAnswers(engine: SearchEngine, file: string, answers: string): Promise<void> {
  const given = (await unlessTold(file, () => answersOf(engine)))?.split("\n") ?? [];
  for (const [i, line] of answers.split("\n").entries())
    if (given[i] !== undefined && !/: storage_(corrupt|version)$/.test(given[i])) expect(given[i]).toBe(line);
}

describe.each([true, false])("a small folder that was closed: %s", (isClosed) => {
  let whole: Sample;
  let files: readonly (readonly [string, Uint8Array])[];
  beforeAll(async () => {
    whole = await sample(isClosed);
    files = [...whole.disk.files(FOLDER)];
  });

  /** Damages a copy of the folder, and names the damage when it is not noticed. */
  async function damage(path: string, what: string, work: (disk: FakeDisk) => void, allowed: Partial<Allowed> = {}) {
    const disk = whole.disk.copy();
    work(disk);
    try {
      await expectDetected(disk, basename(path), whole, { earlier: isClosed ? 0 : 1, unseen: false, ...allowed });
    } catch (error) {
      if (error instanceof Error) error.message = `${path}, ${what}: ${error.message}`;
      throw error;
    }
  }

  it("has a manifest, a log, segments and a watermark", () => {
    expect(files.map(([path]) => basename(path).replace(/\d+$/, "N")).sort()).toEqual([
      "log-N",
      "manifest",
      "segment-N",
      "watermark",
    ]);
  });

  it("tells of each bit that is changed", { timeout: TIMEOUT }, async () => {
    for (const [path, bytes] of files)
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        const at = bit >> 3;
        if (bit % BIT_STEP === (at * 5) % BIT_STEP)
          await damage(path, `bit ${bit % 8} of byte ${at}`, (disk) => disk.flipBit(path, at, bit % 8));
      }
  });

  it("tells of each length at which a file is cut", { timeout: TIMEOUT }, async () => {
    for (const [path, bytes] of files)
      for (let length = 0; length < bytes.length; length++)
        if (length % CUT_STEP === 0 || bytes.length - length < LAST_LENGTHS)
          await damage(path, `cut at ${length}`, (disk) => disk.cut(path, length), {
            earlier: path.includes("log-") ? whole.contents.length : 0,
          });
  });

  it("tells of each file that is lost", async () => {
    for (const [path] of files) await damage(path, "lost", (disk) => disk.lose(path), { earlier: 0 });
  });

  it("gives the same answers or refuses when a file has more bytes", async () => {
    for (const [path, bytes] of files)
      for (const added of [new Uint8Array(1), new Uint8Array(4096), Buffer.from("more"), bytes])
        await damage(path, "longer", (disk) => disk.put(path, Buffer.concat([bytes, added])), {
          earlier: 0,
          unseen: true,
        });
  });
});
