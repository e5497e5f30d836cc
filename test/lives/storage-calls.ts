// Random calls of engines that are stored: small records, and some batches that are large enough for a file of their own.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IndexSettings, SearchEngine } from "../../src/index.js";
import type { Random } from "../support/random.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { type Call, type Goods, type Id, type Item, type Shares, writeOf } from "./calls.js";

const NAMES = ["a", "B", "c-3"];
const WORDS = "red green lamp drill sofa oak steel folding garden padded kettle".split(" ");
const BRANDS = ["Hem", "Forge", "Ünal"];
/** Segments of more bytes get a file of their own. */
const LARGE_BYTES = 2 ** 18;
/** The default limit of a record leaves room for so many bytes of filler. */
const MOST_FILLER = 90_000;

const SHARES: Shares = {
  addRecords: 6,
  updateRecords: 4,
  replaceAllRecords: 1,
  deleteRecords: 2,
  deleteBy: 4,
  clearIndex: 1,
  updateSettings: 2,
};
/** Of calls that are made together. One that waits behind a change of the settings would be refused. */
const TOGETHER: Shares = { ...SHARES, replaceAllRecords: 5, updateSettings: 0 };

/** Of what is written beside a replacement. */
const WRITTEN_BESIDE: Shares = { ...TOGETHER, replaceAllRecords: 0, clearIndex: 0, addRecords: 12, updateRecords: 12 };

export interface CallOptions {
  /** Bytes that each record carries besides its attributes; by default none, and now and then a batch large enough for a file. */
  readonly filler?: number;
  /** How many records most batches have; by default one to eight, most of them few. */
  readonly records?: number;
  readonly snapshot?: Uint8Array;
}

/** Draws calls that fit together: each knows which indexes the ones before have left. */
export class StorageCalls {
  private readonly random: Random;
  private readonly options: CallOptions;
  private readonly names = new Set<string>();
  private step = 0;
  private readonly goods: Goods = {
    records: () => this.records(),
    ids: () => this.random.list(1, 6, () => this.id()),
    filters: () =>
      this.random.pick([`step < ${this.random.between(0, this.step)}`, `brand:"${this.random.pick(BRANDS)}"`]),
    settings: () => this.changedSettings(),
  };

  constructor(random: Random, options: CallOptions = {}) {
    this.random = random;
    this.options = options;
  }

  /** A call of any verb. Few are refused, because an index is missing or there. */
  next(): Call {
    const { random } = this;
    if (this.names.size === 0 || random.chance(0.08)) return this.create();
    return random.chance(0.7) ? writeOf(random, this.known(), this.goods, SHARES) : this.ofEngine();
  }

  /** Calls that may be made at the same time: each index takes its own in order, and none waits for those of another. */
  nextTogether(): readonly Call[] {
    const { random } = this;
    if (this.names.size === 0) return [this.create()];
    const names = [...this.names];
    const one = random.pick(names);
    const write = (name: string): Call => writeOf(random, name, this.goods, TOGETHER);
    return random.chance(0.5) ? random.list(2, 5, () => write(one)) : random.shuffle(names).map(write);
  }

  /** A replacement of all records of an index by so many; some of the ids that other calls use are not among them. */
  replacement(name: string, count: number): Call {
    const first = this.random.between(1, 12);
    const filler = this.random.pick([0, 500]);
    const records = Array.from({ length: count }, (_, i) => ({ ...this.record(filler), id: idOf(first + i) }));
    return { verb: "replaceAllRecords", args: [name, records] };
  }

  beside(name: string): Call {
    return writeOf(this.random, name, this.goods, WRITTEN_BESIDE);
  }

  private known(): string {
    return this.random.chance(0.03) ? this.random.pick(NAMES) : this.random.pick([...this.names]);
  }

  private create(): Call {
    const name = this.random.pick(NAMES);
    this.names.add(name);
    return { verb: "createIndex", args: [name, this.settings()] };
  }

  private settings(): IndexSettings {
    const { random } = this;
    const common = { searchableAttributes: ["title", "brand"], attributesForFaceting: ["brand", "step"] };
    const graph = USABLE_KINDS.includes("hnsw") ? ({ vectorIndex: { kind: "hnsw" } } as const) : {};
    return random.pick<IndexSettings>([
      { ...common, embedder: false },
      { ...common, embedder: false, analyzer: "plain", customRanking: ["desc(step)"] },
      common,
      { ...common, ...graph },
      { ...common, embedder: false, vectorAttribute: "vec", dimensions: 3, ...graph },
    ]);
  }

  private changedSettings(): IndexSettings {
    const { random } = this;
    return random.pick<IndexSettings>([
      { synonyms: [{ type: "synonym", synonyms: ["lamp", random.pick(WORDS)] }] },
      { searchableAttributes: random.pick([["title"], ["title", "brand"], ["brand", "note"]]) },
      { customRanking: [random.pick(["asc(step)", "desc(step)"])] },
      { matching: random.pick(["auto", "all", "any"]) },
    ]);
  }

  private ofEngine(): Call {
    const { random, names } = this;
    const { snapshot } = this.options;
    const from = this.known();
    const to = random.pick(NAMES);
    const verb = random.pick(["copyIndex", "moveIndex", "deleteIndex", "importIndex", "readSnapshot"] as const);
    if (verb === "readSnapshot" && snapshot === undefined) return this.create();
    if (verb === "moveIndex" || verb === "deleteIndex") names.delete(from);
    if (verb !== "deleteIndex") names.add(to);
    if (verb === "deleteIndex") return { verb, args: [from] };
    if (verb === "copyIndex" || verb === "moveIndex") return { verb, args: [from, to] };
    if (verb === "readSnapshot") return { verb, args: [to, snapshot, { ifExists: "replace" }] };
    const head = { "tandem-search": 1, settings: { ...this.settings(), embedder: false } };
    const lines = [head, ...random.list(0, 5, (i) => ({ ...this.record(), id: i }))];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    return { verb, args: [to, text, { ifExists: "replace" }] };
  }

  private id(): Id {
    return idOf(this.random.between(1, 16));
  }

  private record(filler = this.options.filler ?? 0): Item {
    const { random } = this;
    return {
      id: this.id(),
      title: random.list(1, 4, () => random.pick(WORDS)).join(" "),
      step: this.step++,
      brand: random.pick(BRANDS),
      ...(random.chance(0.2) ? { note: random.pick(WORDS), [`only${this.step}`]: true } : {}),
      ...(random.chance(0.5) ? { vec: [random.normal(), random.normal(), 1] } : {}),
      ...(filler === 0 ? {} : { filler: "-".repeat(filler) }),
    };
  }

  private records(): Item[] {
    const { random } = this;
    const { filler, records: least = 1, records: most = random.pick([1, 3, 8]) } = this.options;
    if (filler !== undefined || !random.chance(0.04)) return random.list(least, most, () => this.record());
    const count = Math.ceil(LARGE_BYTES / MOST_FILLER) + 1;
    return Array.from({ length: count }, (_, i) => ({ ...this.record(MOST_FILLER), id: i + 1 }));
  }
}

const idOf = (number: number): Id => (number % 4 === 0 ? `n${number}` : number);

/** The bytes of a snapshot of a small index, with deleted records. */
export async function someSnapshot(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "some-snapshot-"));
  try {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("shipped", { searchableAttributes: ["title"], attributesForFaceting: ["step"] });
    await engine.addRecords("shipped", [
      { id: 1, title: "red lamp", step: 1 },
      { id: "2", title: "oak drill", step: 2 },
      { id: 3, title: "lost sofa", lost: true },
    ]);
    await engine.deleteRecords("shipped", [3]);
    await engine.writeSnapshot("shipped", join(folder, "shipped"));
    await engine.close();
    return new Uint8Array(readFileSync(join(folder, "shipped")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
