// What a search box shows while somebody types, with node:http alone: suggestions, categories and products in one answer. The page asks as
// in autocomplete-box.mjs.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { SearchError } from "tandem-search";

/** What is found for a text that is not finished. */
export async function typed(products, query, signal) {
  const shown = { attributesToRetrieve: ["price"], attributesToHighlight: ["title"] };
  const [suggested, found] = await Promise.all([
    products.suggest({ query, hitsPerPage: 5 }, { signal }),
    products.query(
      { query, queryType: "prefixLast", hitsPerPage: 4, facets: ["category"], maxValuesPerFacet: 3, ...shown },
      { signal },
    ),
  ]);
  return {
    suggestions: suggested.data.suggestions,
    categories: found.data.facets.category,
    // A highlighted title is HTML: its text is escaped, and what matched is in <em>.
    products: found.data.hits.map(({ id, source, _highlightResult }) => ({
      ...{ id, price: source.price, title: _highlightResult.title?.value },
    })),
  };
}

/** A server; `listen` starts it. `files` says what else it sends: for each path, a file and its type. */
export function autocompleteServer(products, files = {}) {
  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (pathname !== "/typed") {
      if (!Object.hasOwn(files, pathname)) return response.writeHead(404).end();
      const [file, type] = files[pathname];
      return response.writeHead(200, { "content-type": type }).end(await readFile(file));
    }
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const answer = JSON.stringify(await typed(products, searchParams.get("q") ?? "", gone.signal));
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    } catch (error) {
      // Such as 400 for a text that is too long, 499 for a page that asks no longer.
      response.writeHead(error instanceof SearchError ? error.code : 500).end();
    }
  });
}
