// The site of docs/README.md's pages; site/build.mjs makes what it reads.

import { join } from "node:path";
import { ENTRIES, ROOT, sections, slugOf } from "../contents.mjs";

const { version } = await import("../../package.json", { with: { type: "json" } }).then((one) => one.default);
const toLink = (path) => `/${path.replace(/(README|index)?\.md$/, "")}`;

const sidebar = sections().map(({ title, entries }) => ({
  text: title,
  collapsed: false,
  items: entries.flatMap(({ pages }) => pages.map((page) => ({ text: page.title, link: toLink(page.path) }))),
}));
sidebar
  .find(({ text }) => text === "Reference")
  ?.items.push({
    text: "API",
    collapsed: true,
    items: ENTRIES.map(({ name, file }) => ({ text: name, link: `/api/${file}` })),
  });

export default {
  title: "tandem-search",
  description: "Product search inside a Node process",
  srcDir: "pages",
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    lineNumbers: false,
  },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start" },
      { text: "Playground", link: "/playground/index.html", target: "_self" },
      { text: "API", link: "/api/" },
      { text: version, link: "/changelog" },
    ],
    sidebar,
    outline: { level: [2, 3] },
    externalLinkIcon: true,
  },
  vite: {
    resolve: {
      alias: { "tandem-search": join(ROOT, "dist/index.browser.js") },
      conditions: ["tandem-no-sentences", "module", "browser", "development|production"],
    },
  },
};
