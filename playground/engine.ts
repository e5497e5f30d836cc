// The page's side of the worker: starts it, hands it the files that lie beside the page, and calls it.

import type { AssetName, Calls, Told } from "./calls.js";

/** How far an import has come. */
export type Passed = Extract<Told, { title: string }>;

interface Beside {
  /** How many scripts a file was written to; they are named NAME-0.js, NAME-1.js and so on. */
  readonly [name: string]: number;
}

/** What scripts beside the page call with a part of a file, packed by gzip, as base64. */
type Take = (name: string, part: number, text: string) => void;
declare global {
  var tandemSearch: Take;
}

const beside: Beside = JSON.parse(document.getElementById("beside")!.textContent);
const CALLS = ["open", "query", "suggest", "whyNot", "similar", "records", "preview", "measure", "apply"] as const;
const parts = new Map<string, string>();
globalThis.tandemSearch = (name, part, text) => void parts.set(`${name}-${part}`, text);

export const isBeside = (name: AssetName): boolean => (beside[name] ?? 0) > 0;

async function loadScript(name: string): Promise<string> {
  const script = document.createElement("script");
  script.src = `${name}.js`;
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name}.js is missing beside the page.`));
    document.head.append(script);
  });
  script.remove();
  const text = parts.get(name)!;
  parts.delete(name);
  return text;
}

/** A file that lies beside the page as scripts, unpacked; undefined: there is none. */
export async function readBeside(name: string): Promise<Blob | undefined> {
  const count = beside[name] ?? 0;
  if (count === 0) return undefined;
  const pieces: BlobPart[] = [];
  for (let i = 0; i < count; i++) {
    const text = await loadScript(`${name}-${i}`);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
    pieces.push(bytes);
  }
  const packed = new Blob(pieces).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(packed).blob();
}

/** The worker, by its calls. `onPassed` hears how far an import has come. */
export async function startEngine(onPassed: (passed: Passed) => void): Promise<Calls> {
  const script = await readBeside("worker");
  const worker = new Worker(URL.createObjectURL(script!));
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  worker.onmessage = async ({ data }: MessageEvent<Told>) => {
    if ("needs" in data) {
      const bytes = await readBeside(data.needs).catch(() => undefined);
      worker.postMessage({ asset: data.needs, bytes });
    } else if ("title" in data) onPassed(data);
    else {
      const call = waiting.get(data.id);
      waiting.delete(data.id);
      if ("error" in data) call?.reject(new Error(data.error.message));
      else call?.resolve(data.value);
    }
  };
  worker.onerror = ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message));
  };
  const ask =
    (call: keyof Calls) =>
    (...args: readonly unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ call, id, args });
      });
  return Object.fromEntries(CALLS.map((call) => [call, ask(call)])) as never;
}
