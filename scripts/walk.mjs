// Walks through the playground in Chromium, as somebody who looks after a shop does: by what is to be seen on the page, which is opened as a
// file, with the network cut off. Prints a line of JSON a walk: its name, what failed, and clicks, keys and seconds of its tasks.
// Options: --only NAME;NAME; --list; --pictures: writes docs/pictures/playground-light.png and playground-dark.png; --shots FOLDER: writes
// a picture of every view. What it needs is fetched as scripts/chromium.mjs says.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { findChromium, findDriver } from "./chromium.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DEMO = join(ROOT, "docs/demo/catalogue");
const PATIENCE_MS = 20_000;
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };
const VIEWS = ["Search", "Tune", "Judge", "Settings"];

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    list: { type: "boolean" },
    pictures: { type: "boolean" },
    shots: { type: "string" },
  },
});

const temp = mkdtempSync(join(tmpdir(), "tandem-search-walk-"));
const command = (...args) =>
  promisify(execFile)(process.execPath, [join(ROOT, "dist/command.js"), ...args], { cwd: temp, maxBuffer: 1 << 26 });

/** The products of the demo catalogue, and some of them as a table that a shop might export. */
const PRODUCTS = readdirSync(DEMO)
  .filter((name) => name.endsWith(".jsonl"))
  .sort()
  .flatMap((name) => readFileSync(join(DEMO, name), "utf8").trim().split("\n"))
  .map((line) => JSON.parse(line));
const COLUMNS = ["sku", "title", "brand", "price", "category", "description", "stock"];
const csvOf = (products) =>
  [COLUMNS, ...products.map((product) => COLUMNS.map((name) => product[name]))]
    .map((cells) => cells.map((cell) => `"${String(cell ?? "").replaceAll('"', '""')}"`).join(","))
    .join("\n");
const linesOf = (records) => records.map((record) => JSON.stringify(record)).join("\n");

function fileOf(name, content) {
  const path = join(temp, name);
  writeFileSync(path, content);
  return path;
}

// Whatever the browser would send goes through this, which answers nothing and notes who was to be reached.
const reached = [];
const wall = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (bytes) => {
    reached.push(bytes.toString("latin1").split("\r\n")[0]);
    socket.destroy();
  });
});

/** A person before the page: sees texts, clicks, types. Each step is counted. */
class Person {
  clicks = 0;
  keys = 0;
  tried = [];
  broken = [];
  tasks = [];

  constructor(page) {
    this.page = page;
    page.on("request", (request) => {
      if (!/^(file|blob|data):/.test(request.url())) this.tried.push(request.url());
    });
    page.on("pageerror", (error) => this.broken.push(error.message));
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) this.broken.push(message.text());
    });
    page.on("dialog", (dialog) => {
      this.broken.push(`a dialog says ${dialog.message()}`);
      dialog.dismiss();
    });
  }

  /** Does what a person wants, and notes how many steps and seconds it took. */
  async task(name, steps) {
    const before = { clicks: this.clicks, keys: this.keys, at: performance.now() };
    await steps();
    const { clicks, keys, at } = before;
    const seconds = Number(((performance.now() - at) / 1000).toFixed(1));
    this.tasks.push({ name, clicks: this.clicks - clicks, keys: this.keys - keys, seconds });
  }

  /** What can be used, by how its label or its text begins; `within` is a part of the page, by its selector. */
  async find(name, within = "body") {
    const looking = this.page.waitForFunction(
      (name, within) => {
        const used = "button, input, select, textarea, summary, a, [role=option]";
        return [...(document.querySelector(within)?.querySelectorAll(used) ?? [])].find((one) => {
          const own = one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent;
          return own.trim().startsWith(name) && one.checkVisibility() && !one.disabled;
        });
      },
      { timeout: PATIENCE_MS },
      name,
      within,
    );
    const fail = async () => assert.fail(`there is no "${name}" to use in ${within} of:\n${await this.text()}`);
    return (await looking.catch(fail)).asElement();
  }

  async click(name, within) {
    await this.use(await this.find(name, within));
  }

  async use(element) {
    this.clicks++;
    await element.click();
  }

  /** A text in place of the one that is there. */
  async write(name, text, within) {
    await this.use(await this.find(name, within));
    await this.type(text);
  }

  /** A text in place of the one that is there, where the cursor stands. */
  async type(text) {
    this.keys++;
    await this.page.keyboard.down("Control");
    await this.page.keyboard.press("a");
    await this.page.keyboard.up("Control");
    await this.page.keyboard.type(text);
  }

  async press(key) {
    this.keys++;
    await this.page.keyboard.press(key);
  }

  /** Takes a slider to its least. */
  async slideDown(name) {
    const box = await (await this.find(name)).boundingBox();
    this.clicks++;
    await this.page.mouse.click(box.x + 2, box.y + box.height / 2);
  }

  async give(...files) {
    this.clicks++;
    const data = { items: [], files, dragOperationsMask: 1 };
    const cdp = await this.page.createCDPSession();
    for (const type of ["dragEnter", "dragOver", "drop"])
      await cdp.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    await cdp.detach();
  }

  /** Waits until the page shows it. */
  async see(...texts) {
    for (const text of texts)
      await this.page
        .waitForFunction((text) => document.body.innerText.includes(text), { timeout: PATIENCE_MS }, text)
        .catch(async () => assert.fail(`the page does not show "${text}", but:\n${await this.text()}`));
  }

  /** Waits until what is seen at a place is as it is to be. */
  async seeAt(selector, isRight) {
    const texts = () =>
      this.page.$$eval(selector, (all) => all.map((one) => one.innerText.replace(/\s+/g, " ").trim()));
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const seen = await texts();
      if (isRight(seen)) return seen;
      if (Date.now() > end) assert.fail(`${selector} shows ${JSON.stringify(seen)}, not what makes ${isRight} true`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  /** The titles of the hits, in their order. */
  hits(isRight = (titles) => titles.length > 0) {
    return this.seeAt('[aria-label="Hits"] .hit h2', isRight);
  }

  text() {
    return this.page.evaluate(() => document.body.innerText);
  }

  /** Nothing broke, and nothing was sent. */
  check() {
    assert.deepEqual([this.tried, this.broken, reached], [[], [], []]);
  }
}

/** A person who has no mouse: goes by the key Tab to what is to be used. */
class WithoutMouse extends Person {
  async use(element) {
    this.keys++;
    await this.goTo(element);
    const kind = await element.evaluate((one) => (one.matches("button, summary, a") ? "Enter" : one.type));
    if (kind === "Enter") await this.page.keyboard.press("Enter");
    else if (kind === "checkbox") await this.page.keyboard.press("Space");
  }

  async goTo(element) {
    for (let tries = 0; tries < 400; tries++) {
      if (await element.evaluate((one) => one === document.activeElement)) return;
      await this.page.keyboard.press("Tab");
    }
    assert.fail(`no way by the keyboard to ${await element.evaluate((one) => one.outerHTML)}`);
  }

  async slideDown(name) {
    this.keys++;
    await this.goTo(await this.find(name));
    await this.page.keyboard.press("Home");
  }

  async give(...files) {
    const chosen = this.page.waitForFileChooser();
    await this.click((await this.page.$(".welcome")) === null ? "Open…" : "Choose a file");
    await (await chosen).accept(files);
  }
}

/** Opens a playground. `hash`: the state in its address. */
async function visit(folder, { hash = "", size = WIDE, isDark = false, Who = Person } = {}) {
  const page = await browser.newPage();
  const person = new Who(page);
  await page.setOfflineMode(true);
  await page.setViewport(size);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }]);
  await page.goto(`${pathToFileURL(join(folder, "index.html"))}${hash}`);
  return person;
}

/** A playground without an index, and one with the products of the demo catalogue; each is written once. */
const made = new Map();
function playground(name) {
  if (!made.has(name)) made.set(name, makePlayground(name));
  return made.get(name);
}
async function makePlayground(name) {
  const out = join(temp, name);
  const data = join(temp, "data");
  if (name !== "empty") await command("import", fileOf("shop.jsonl", linesOf(PRODUCTS)), "--data", data);
  await command("playground", "--out", out, ...(name === "empty" ? [] : ["--data", data]));
  return out;
}

/** The five things that somebody who looks after a shop wants to do on a first day. */
async function fiveTasks(Who) {
  const person = await visit(await playground("empty"), { Who });
  const { page } = person;
  const products = fileOf("products.csv", csvOf(PRODUCTS));
  const saved = mkdtempSync(join(temp, "saved-"));
  const cdp = await browser.target().createCDPSession();
  await cdp.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: saved });
  let pinned = "";

  await person.task("first result", async () => {
    await person.see("Search your own products");
    await person.give(products);
    await person.see(`${PRODUCTS.length} records, by words and meaning`);
    await person.type("cordless drill");
    await person.hits(([first]) => first === "1 Cordless drill driver 12 V, 2 x 1.5 Ah batteries");
  });
  await person.task("why a hit stands where it stands", async () => {
    await person.click("Why?", ".hit:nth-child(3)");
    await person.see("Score 0.", "“drill” in title; 6 records have it", "cosine 0.");
    const [parts] = await person.seeAt(".hit:nth-child(3) .why tbody", (all) => all.length === 1);
    for (const part of ["words", "title", "meaning"]) assert.match(parts, new RegExp(`\\b${part} [+−]`));
  });
  await person.task("pin a product", async () => {
    const [, , , , fifth] = await person.hits();
    pinned = fifth.slice(2);
    await person.click("Tune");
    await person.click("Pin first", ".beside > :last-child li:nth-child(5)");
    await person.seeAt(".beside > :last-child li", ([first]) => first?.includes(pinned) && first.includes("▲ 4"));
    await person.click("Apply");
    await person.click("Search", "nav");
    await person.hits(([first]) => first === `1 ${pinned}`);
    await person.click("Why?", ".hit:nth-child(1)");
    await person.see("Pinned here by the rule cordless drill pin ");
  });
  await person.task("judge ten hits, compare two settings", async () => {
    const judge = async (from, ...grades) => {
      for (const [i, grade] of grades.entries()) await person.click(grade, `.hit:nth-child(${from + i})`);
    };
    await judge(1, "no", "best", "best", "good", "no");
    await person.write("Search in products", "desk lamp");
    await person.hits(([first]) => first === "1 LED desk lamp with clamp, 10 W, dimmable");
    await judge(8, "no", "good", "best", "no", "fair");
    await person.click("Tune");
    await person.slideDown("Weight of meaning");
    await person.seeAt(".measures", ([text]) =>
      /^nDCG at 10 of your judgements of 2 queries: 0\.\d+ before, 0\.\d+ after; −0\.\d+, with 95 % confidence between −/.test(
        text ?? "",
      ),
    );
  });
  await person.task("take the settings home", async () => {
    await person.click("Settings");
    await person.see("Settings of products");
    const [code, json] = await page.$$eval("textarea[readonly]", (all) => all.map((one) => one.value));
    assert.match(code, /createIndex\("products", \{/);
    assert.equal(JSON.parse(json).semanticWeight, 0);
    await person.click("Save settings.json");
    for (let tries = 0; tries < 100 && !readdirSync(saved).includes("settings.json"); tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(readFileSync(join(saved, "settings.json"), "utf8"), `${json}\n`);
  });
  // At home they do what they did here.
  const data = mkdtempSync(join(temp, "home-"));
  await command("import", products, "--data", data);
  await command("settings", "set", join(saved, "settings.json"), "--data", data);
  const { stdout } = await command("query", "cordless drill", "--data", data, "--json");
  assert.equal(JSON.parse(stdout).data.hits[0].source.title, pinned);
  return person;
}

/** The walks by name, of which each gives the persons who walked. */
const WALKS = {
  "five tasks": async () => [await fiveTasks(Person)],
};

async function walk(name) {
  reached.length = 0;
  const told = { walk: name };
  try {
    const persons = await WALKS[name]();
    for (const person of persons) {
      person.check();
      await person.page.close();
    }
    told.tasks = persons.flatMap(({ tasks }) => tasks);
  } catch (error) {
    told.failed = error.stack;
  }
  for (const page of (await browser.pages()).slice(1)) await page.close();
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

if (options.list) {
  process.stdout.write(`${Object.keys(WALKS).join("\n")}\n`);
  process.exit();
}
const { puppeteer, axe } = await findDriver();
await new Promise((resolve) => wall.listen(0, "127.0.0.1", resolve));
const browser = await puppeteer.launch({
  executablePath: await findChromium(),
  args: [
    ...["--no-sandbox", "--disable-gpu"],
    ...[`--proxy-server=127.0.0.1:${wall.address().port}`, "--proxy-bypass-list=<-loopback>"],
  ],
});
try {
  const names = options.only?.split(";") ?? Object.keys(WALKS);
  for (const name of names) await walk(name);
} finally {
  await browser.close();
  wall.close();
  rmSync(temp, { recursive: true, force: true, maxRetries: 10 });
}
