// The pages of docs/README.md, by section: what the sidebar, llms.txt and the search box are made of. contents.d.mts says what each export is.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LINK = /\[([^\]]+)\]\(([^)]+\.md)\)/g;

export const ENTRIES = [
  { name: "tandem-search", file: "index" },
  { name: "tandem-search/evaluation", file: "evaluation" },
  { name: "tandem-search/service", file: "service" },
  { name: "tandem-search/service/contract", file: "contract" },
  { name: "tandem-search/instantsearch", file: "instantsearch" },
  { name: "tandem-search/opensearch", file: "opensearch" },
  { name: "tandem-search/medusa", file: "medusa" },
  { name: "tandem-search/tools", file: "tools" },
];

export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

export function sections() {
  const text = readFileSync(join(ROOT, "docs/README.md"), "utf8");
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = "", ...rest] = section.split("\n");
      const entries = rest
        .join("\n")
        .split(/^- /m)
        .slice(1)
        .map((entry) => {
          const line = entry.replace(/\s+/g, " ").trim();
          const pages = [...line.matchAll(LINK)].map(([, name, path]) => ({ title: name, path }));
          return { pages, about: line.slice(line.lastIndexOf("): ") + 3) };
        });
      return { title, entries };
    });
}
