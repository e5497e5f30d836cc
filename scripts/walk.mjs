// Walks through the playground in Chromium, as somebody who looks after a shop does: by what is to be seen on the page, which is opened as a
// file, with the network cut off. Prints a line of JSON a walk: its name, what failed, and clicks, keys and seconds of its tasks.
// Options: --only NAME;NAME; --list; --pictures: writes docs/pictures/playground-light.png and playground-dark.png; --shots FOLDER: writes
// a picture of every view; --catalogue FILE: what is taken for a large catalogue. What it needs is fetched as scripts/chromium.mjs says.

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

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    list: { type: "boolean" },
    pictures: { type: "boolean" },
    shots: { type: "string" },
    catalogue: { type: "string" },
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
      if (message.type() === "error") this.broken.push(message.text());
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
  async seeAt(selector, isRight, patience = PATIENCE_MS) {
    const texts = () =>
      this.page.$$eval(selector, (all) => all.map((one) => one.innerText.replace(/\s+/g, " ").trim()));
    const end = Date.now() + patience;
    for (;;) {
      const seen = await texts();
      if (isRight(seen)) return seen;
      if (Date.now() > end) assert.fail(`${selector} shows ${JSON.stringify(seen)}, not what makes ${isRight} true`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  /** The titles of the hits, in their order. */
  hits(isRight = (titles) => titles.length > 0) {
    return this.seeAt('[aria-label="Hits"][aria-busy="false"] .hit h2', isRight);
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

/** Everybody of a walk. */
const persons = [];

/** Opens a playground. `hash`: the state in its address. */
async function visit(folder, { hash = "", size = WIDE, isDark = false, Who = Person } = {}) {
  // With a memory of its own.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const person = new Who(page);
  persons.push(person);
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
  const browserContextId = page.browserContext().id;
  await cdp.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: saved, browserContextId });
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
    await person.see("(the query is “cordless drill”) pins it to place 1.");
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
}

/** A catalogue whose records try to become a part of the page. `wasRun` would tell that one succeeded. */
const SCRIPT = "<script>wasRun=1</script>";
const IMAGE = '"><img src=x onerror=wasRun=1>';
const hostile = (i) => `{
  "id": ${JSON.stringify(i % 2 === 0 ? `${IMAGE}${i}` : `'${SCRIPT}${i}`)},
  "title": ${JSON.stringify(["lamp " + SCRIPT, "lamp " + IMAGE, `lamp ${"long ".repeat(2000)}`, "lamp \u202egnol\u202e", "lamp {{wasRun=1}}"][i % 5])},
  "__proto__": ${JSON.stringify(["polluted", SCRIPT][i % 2])}, "constructor": ${JSON.stringify([IMAGE, "built"][i % 2])},
  "toString": ${i % 3}, "hasOwnProperty": ${JSON.stringify(`own ${i % 3}`)},
  ${JSON.stringify(IMAGE)}: ${JSON.stringify([SCRIPT, IMAGE][i % 2])}, "brand": ${JSON.stringify(["-minus", SCRIPT, "constructor AND c"][i % 3])},
  "url": ${JSON.stringify(["javascript:wasRun=1", "data:text/html,<script>wasRun=1</script>", " JaVaScRiPt:wasRun=1", "https://shop.example/<b>"][i % 4])},
  "image": ${JSON.stringify(["javascript:wasRun=1", "data:image/svg+xml,<svg onload='wasRun=1'/>", "https://shop.example/a.png"][i % 3])},
  "nested": { "__proto__": { "wasRun": 1 }, "deep": ${JSON.stringify(IMAGE)} }
}`;

async function hostileCatalogue() {
  const person = await visit(await playground("empty"));
  const { page } = person;
  const lines = Array.from({ length: 40 }, (_, i) => hostile(i).replaceAll("\n", " "));
  await person.see("Search your own products");
  await person.give(fileOf("<img src=x onerror=wasRun=1>.jsonl", lines.join("\n")));
  await person.see("<img src=x onerror=wasRun=1> 40 records");
  await person.type("lamp");
  await person.hits(([first]) => first?.startsWith("1 lamp"));
  const [titles, texts] = [await person.hits(), await person.text()];
  for (const title of ["<script>wasRun=1</script>", IMAGE])
    assert.ok(
      titles.some((one) => one.includes(title)),
      title,
    );
  for (const text of ["__proto__", "constructor", "toString", "hasOwnProperty", "-minus", "polluted"])
    assert.ok(texts.includes(text), text);
  for (const name of ["__proto__", "constructor", "brand"]) await chooseIn(person, name);
  await person.click("Why?", ".hit:nth-child(1)");
  await person.click("Similar", ".hit:nth-child(1)");
  await person.click("best", ".hit:nth-child(1)");
  await person.click("all ", ".hit:nth-child(1)");
  await person.click("Understand sentences");
  await person.write("Why is a record missing?", IMAGE);
  await person.click("Tell me");
  await person.see(`${IMAGE}: No record has this id.`);
  for (const [query, marked] of [
    ["constructor", "constructor"],
    ["built", "built"],
    [`${SCRIPT} lamp`, "lamp"],
  ]) {
    await person.write("Search in", query);
    await person.seeAt('[aria-busy="false"] .hit:nth-child(1) mark', (all) => all.includes(marked));
    await person.click("good", ".hit:nth-child(1)");
  }
  await person.click("Tune");
  await person.click("Pin first", ".beside > :last-child li:nth-child(2)");
  await person.click("Synonyms");
  await person.write("A line each", `lamp, ${SCRIPT}`);
  await person.press("Tab");
  await person.write("Other queries", `${IMAGE}\nconstructor`);
  await person.see(" queries would change.");
  await person.click("Apply");
  await person.see("Rules (1)");
  await person.click("Judge");
  await person.see("nDCG at 10", "constructor", SCRIPT);
  await person.click("Settings");
  await person.see("How the file was read", IMAGE, "__proto__");
  const seen = await page.evaluate(() => ({
    ran: globalThis.wasRun ?? {}.wasRun,
    links: [...document.querySelectorAll("[href]")]
      .map(({ protocol }) => protocol)
      .filter((one) => one === "javascript:"),
    strange: document.querySelectorAll("img, iframe, object, svg, body script, [onerror], [onclick], [onload]").length,
  }));
  assert.deepEqual(seen, { links: [], strange: 0 });
}

/** Chooses the first value of a facet, and takes it back. */
async function chooseIn(person, name) {
  const { page } = person;
  const index = await page.$$eval(
    "aside fieldset",
    (all, name) => all.findIndex((one) => one.querySelector("legend").innerText === name),
    name,
  );
  assert.ok(index >= 0, `there is no facet ${name}`);
  const value = `aside fieldset:nth-of-type(${index + 1}) label`;
  const [count] = await page.$eval(value, (one) => one.innerText.match(/\d+$/));
  await person.use(await page.$(`${value} input`));
  await person.seeAt('.told [role="status"]', ([text]) => text?.startsWith(`${count} hit`));
  await person.click("Remove all choices");
  await person.see("40 hits");
}

/** Goes through all views, each with something in it, and does something in each. */
async function eachView(person, act) {
  await person.write("Search in", "cordless drill");
  await person.hits(([first]) => first?.includes("drill"));
  await person.click("Why?", ".hit:nth-child(1)");
  await person.click("Similar", ".hit:nth-child(2)");
  await person.click("best", ".hit:nth-child(1)");
  await person.seeAt(".similar li", (all) => all.length > 2);
  await act("Search");
  await person.click("Tune");
  await person.click("Pin first", ".beside > :last-child li:nth-child(3)");
  await person.see("▲ 2", "before, ");
  for (const name of ["Searched attributes", "Boosts", "Synonyms", "Stop words", "All changes"])
    await person.click(name);
  await act("Tune");
  await person.click("Judge");
  await person.see("nDCG at 10");
  await act("Judge");
  await person.click("Settings");
  await person.see("As code");
  await act("Settings");
}

/** Nothing keeps people from using it, as far as a program can tell, and nothing has to be moved sideways. */
async function everybody() {
  for (const isDark of [false, true])
    for (const size of [WIDE, NARROW]) {
      const person = await visit(await playground("empty"), { size, isDark });
      const { page } = person;
      await page.evaluate(axe);
      const look = async (view) => {
        const wrong = await page.evaluate(async () => {
          const { violations } = await globalThis.axe.run({ resultTypes: ["violations"], preload: false });
          return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
        });
        assert.deepEqual(wrong, [], view);
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= room, `${view} is ${wide} wide on a screen of ${room}`);
        if (options.shots === undefined) return;
        mkdirSync(options.shots, { recursive: true });
        const name = `${view.toLowerCase()}-${size.width}-${isDark ? "dark" : "light"}.png`;
        await page.screenshot({ path: join(options.shots, name), fullPage: true });
      };
      await person.see("Search your own products");
      await look("Welcome");
      await person.give(fileOf("products.csv", csvOf(PRODUCTS)));
      await person.see(`${PRODUCTS.length} records`);
      await eachView(person, look);
    }
}

/** Files of every kind, each dropped on the page that shows another. */
async function everyFile() {
  const person = await visit(await playground("empty"));
  await person.see("Search your own products");
  const data = mkdtempSync(join(temp, "files-"));
  const snapshot = join(temp, "some.snapshot");
  await command("import", fileOf("some.jsonl", linesOf(PRODUCTS.slice(0, 50))), "--data", data);
  await command("snapshot", snapshot, "--data", data);
  const given = [
    [fileOf("packed.csv.gz", gzipSync(csvOf(PRODUCTS.slice(0, 20)))), "packed 20 records"],
    [
      fileOf(
        "twice.jsonl.gz",
        Buffer.concat([PRODUCTS.slice(0, 15), PRODUCTS.slice(15, 25)].map((some) => gzipSync(`${linesOf(some)}\n`))),
      ),
      "twice 25 records",
    ],
    [snapshot, "some 50 records"],
    [fileOf("list.json", JSON.stringify(PRODUCTS.slice(0, 30))), "list 30 records"],
    [fileOf("lines.jsonl", linesOf(PRODUCTS.slice(0, 40))), "lines 40 records"],
  ];
  for (const [file, told] of given) {
    await person.give(file);
    await person.see(told);
    await person.type("pushchair");
    await person.hits(([first]) => first?.includes("pushchair"));
  }
  await person.give(fileOf("none.csv", ""));
  await person.see("none.csv: no records.", "lines 40 records");
}

/** What the address holds: a copied link, back and forward. */
async function links() {
  const folder = await playground("index");
  const first = await visit(folder);
  const { page } = first;
  await first.see(`shop ${PRODUCTS.length} records`);
  await first.type("drill");
  await first.hits(([title]) => title?.includes("drill"));
  await page.select('[aria-label="Hits"], .orders select', "price:asc");
  await first.click("Forge", "aside");
  const [cheapest] = await first.hits(([title]) => title === "1 Drill and screwdriver bit set, 40 pieces");
  await first.click("Why?", ".hit:nth-child(1)");
  await first.see("Score 0.");
  const second = await visit(folder, { hash: new URL(page.url()).hash });
  await second.see("Score 0.");
  assert.equal(await second.text().then(withoutTimes), await first.text().then(withoutTimes));
  await first.click("Tune");
  await first.see("Before: ");
  await page.goBack();
  await first.see("Score 0.");
  await page.goBack();
  await first.hits(([title]) => title === cheapest);
  assert.ok(!(await first.text()).includes("Score 0."));
  await page.goForward();
  await first.see("Score 0.");
  await page.goForward();
  await first.see("Before: ");
}
const withoutTimes = (text) => text.replace(/\d+ ms/g, "ms");

/** Pictures are asked for when somebody wants them, and never before. */
async function pictures() {
  const person = await visit(await playground("empty"));
  await person.see("Search your own products");
  const image = "https://pictures.example/lamp.png";
  await person.give(
    fileOf(
      "lamps.jsonl",
      linesOf([
        { id: 1, title: "Desk lamp", image },
        { id: 2, title: "Floor lamp", image },
      ]),
    ),
  );
  await person.see("2 records");
  await person.type("lamp");
  await person.hits(({ length }) => length === 2);
  person.check();
  await person.click("Pictures");
  await person.see("their hosts see your visit");
  for (let tries = 0; tries < 100 && person.tried.length === 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual([...new Set(person.tried)], [image]);
  // Nobody was there.
  person.tried.length = 0;
  person.broken.length = 0;
  reached.length = 0;
  await person.click("Pictures");
  assert.equal(await person.page.$("img"), null);
}

/** What each rule did, to a hit and to what is missing. */
async function rules() {
  const person = await visit(await playground("empty"));
  await person.see("Search your own products");
  const lamps = ["Desk lamp", "Floor lamp", "Old lamp", "Sold lamp"].map((title, i) => {
    return { id: i + 1, title, brand: i === 0 ? "A" : "B", stock: 3 - i };
  });
  await person.give(fileOf("lamps.jsonl", linesOf(lamps)));
  await person.see("4 records");
  const conditions = [{ pattern: "lamp", anchoring: "contains" }, { context: "home" }];
  const given = [
    { id: "pins", conditions: [{ pattern: "lamp" }], consequence: { promote: [{ ids: [2, 1], position: 0 }] } },
    { id: "hides", conditions, consequence: { hide: [3] } },
    { id: "in stock", consequence: { params: { filters: "stock > 0" } } },
    {
      id: "brands",
      consequence: { params: { boosts: [{ filters: "brand:A", weight: -0.1 }], optionalFilters: ["brand:B"] } },
    },
  ];
  await person.click("Tune");
  await person.click("All changes");
  await person.write("Any settings", JSON.stringify({ rules: given }));
  await person.press("Tab");
  await person.see("Rules (4)", "the query contains “lamp”, or the context is “home”: hides 3");
  await person.click("Apply");
  await person.click("Search", "nav");
  await person.write("Search in", "lamp");
  await person.hits((titles) => titles.join() === "1 Floor lamp,2 Desk lamp");
  await person.click("Why?", ".hit:nth-child(2)");
  await person.see(
    "The rule pins (the query is “lamp”) pins it to place 2.",
    "The rule in stock (always) lets it pass, since it has stock > 0.",
  );
  assert.match(
    await person.text(),
    /The rule brands \(always\) lowers it by 0\.\d+ \(\{"filters":"brand:A","weight":-0\.1\}\)\./,
  );
  await person.click("Why?", ".hit:nth-child(1)");
  await person.seeAt(".why", ([text]) =>
    /The rule brands \(always\) raises it by 0\.\d+ \(brand:B\)\./.test(text ?? ""),
  );
  await person.write("Why is a record missing?", "3");
  await person.click("Tell me");
  await person.see("The rule “hides” (the query contains “lamp”, or the context is “home”): hides 3.");
  await person.write("Why is a record missing?", "4");
  await person.click("Tell me");
  await person.see(
    "4: It does not pass what all hits have to pass.",
    "The rule “in stock” (always): filters: stock > 0.",
  );
}

/** As many products as many shops have: how long they take, how smooth the page stays, and whether all questions are answered. */
async function large() {
  const person = await visit(await playground("empty"));
  const { page } = person;
  const file =
    options.catalogue ?? fileOf("large.jsonl", linesOf(Array.from({ length: 20_000 }, (_, i) => product(i))));
  const second = fileOf("second.jsonl", linesOf(PRODUCTS));
  await person.see("Search your own products");
  await page.evaluate(watchFrames);
  const figures = { name: "a large catalogue" };
  const timed = async (name, steps) => {
    await page.evaluate(() => frames.begin());
    const began = performance.now();
    await steps();
    figures[`${name}, s`] = Number(((performance.now() - began) / 1000).toFixed(1));
    Object.assign(figures, await page.evaluate((name) => frames.end(name), name));
  };
  await timed("opened", async () => {
    await person.give(file);
    await person.seeAt(".catalogue", ([text]) => /records, by words/.test(text ?? ""), 300_000);
    await person.hits();
  });
  await timed("ten queries typed", async () => {
    for (const query of Object.keys(QUERIES)) {
      await person.type(query);
      await person.hits(([first]) => isAnswer(query, first));
    }
  });
  await person.hits();
  // Questions while another catalogue is read are answered, by the one that is open.
  await timed("opened again, with questions", async () => {
    await person.give(file);
    for (const query of Object.keys(QUERIES)) {
      assert.ok(await page.$(".progress"), "it was read before the questions were asked");
      await person.type(query);
      await person.hits(([first]) => isAnswer(query, first));
    }
    await person.seeAt(".progress", ({ length }) => length === 0, 300_000);
  });
  await person.give(second);
  await person.see(`second ${PRODUCTS.length} records`);
  person.tasks.push(figures);
}

/** Notes the gaps between frames, and the tasks that keep the page from drawing. */
function watchFrames() {
  let last = 0;
  let gaps = [];
  let tasks = [];
  const step = (now) => {
    gaps.push(now - last);
    last = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: "longtask" });
  globalThis.frames = {
    begin() {
      gaps = [];
      tasks = [];
    },
    end: (name) => ({
      [`${name}, longest frame, ms`]: Math.round(Math.max(0, ...gaps.slice(1))),
      [`${name}, frames above 100 ms`]: gaps.slice(1).filter((gap) => gap > 100).length,
      [`${name}, tasks above 50 ms`]: tasks.map(Math.round),
    }),
  };
}

/** A product of an invented shop; the words repeat as they do in shops. */
function product(i) {
  const pick = (list, by) => list[Math.floor(i / by) % list.length];
  const kind = pick(KINDS, 1);
  const color = pick(["black", "white", "red", "blue", "green", "grey"], 7);
  const brand = pick(["Forge", "Velotide", "Cresswold", "Quillmere", "Barkenby", "Tarnwick"], 3);
  const description = Array.from(
    { length: 30 },
    (_, k) => PRODUCTS[(i * 7 + k * 13) % PRODUCTS.length].title.split(" ")[k % 3],
  );
  return {
    ...{ id: i, title: `${brand} ${kind} ${1000 + i}, ${color}`, brand, kind, color, price: 5 + ((i * 37) % 900) },
    ...{ stock: i % 50, rating: 1 + (i % 40) / 10, sku: `S-${i}`, description: description.join(" ") },
  };
}
/** Whether the first hit shows that it answers the query, and not the one before. */
const isAnswer = (query, first = "") => options.catalogue !== undefined || first.toLowerCase().includes(QUERIES[query]);
const KINDS = [
  "desk lamp",
  "cordless drill",
  "pushchair",
  "office chair",
  "kettle",
  "bicycle helmet",
  "garden hose",
  "headphones",
];
/** Queries, and what their first hit has in its title. */
const QUERIES = {
  ...{ "desk lamp": "desk lamp", "red kettle": "kettle", drill: "drill", "wireless headphones": "headphones" },
  ...{
    hose: "hose",
    "office chair": "chair",
    "black helmet": "helmet",
    pushchair: "pushchair",
    kettel: "kettle",
    lamp: "lamp",
  },
};

/** The pictures of README: the demo catalogue, a query, facets, and why the first hit is the first. */
async function takePictures() {
  for (const isDark of [false, true]) {
    const person = await visit(await playground("empty"), { isDark, size: { width: 1280, height: 720 } });
    const { page } = person;
    await person.see("Search your own products");
    await person.click("Try the demo catalogue");
    await person.see("demo 391 records");
    await person.type("cordless drill");
    await person.hits(([first]) => first?.startsWith("1 Cordless drill"));
    await person.click("Why?", ".hit:nth-child(1)");
    await person.click("best", ".hit:nth-child(1)");
    await person.see("Score 0.");
    await page.evaluate(() => document.activeElement.blur());
    await page.mouse.move(0, 0);
    const path = join(ROOT, `docs/pictures/playground-${isDark ? "dark" : "light"}.png`);
    await page.screenshot({ path });
  }
}

/** The walks by name; the first one is short. */
const WALKS = {
  "five tasks": () => fiveTasks(Person),
  "a hostile catalogue": hostileCatalogue,
  "five tasks without a mouse": () => fiveTasks(WithoutMouse),
  "everybody can use each view": everybody,
  "files of every kind": everyFile,
  "a link holds the state": links,
  "pictures are off until switched on": pictures,
  "what each rule did": rules,
  "a large catalogue": large,
};

async function walk(name) {
  reached.length = 0;
  persons.length = 0;
  const told = { walk: name };
  try {
    await WALKS[name]();
    for (const person of persons) person.check();
  } catch (error) {
    told.failed = error.stack;
    told.broken = persons.flatMap(({ tried, broken }) => [...tried, ...broken]);
  }
  told.tasks = persons.flatMap(({ tasks }) => tasks);
  for (const { page } of persons) await page.browserContext().close();
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
  if (options.pictures) await takePictures();
  else for (const name of names) await walk(name);
} finally {
  await browser.close();
  wall.close();
  rmSync(temp, { recursive: true, force: true, maxRetries: 10 });
}
