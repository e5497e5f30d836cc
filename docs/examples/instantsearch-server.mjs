// A server for InstantSearch with node:http alone: the page asks as in instantsearch-client.mjs.

import { createServer } from "node:http";
import { instantSearchRequest } from "tandem-search/service";

/** A server; `listen` starts it. */
export function instantSearchServer(engine, access) {
  return createServer(async (request, response) => {
    if (request.url !== "/search") return response.writeHead(404).end();
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const { method, headers } = request;
    const asked = { method, headers, body: request, signal: gone.signal };
    const { status, headers: own, body } = await instantSearchRequest(engine, asked, access);
    response.writeHead(status, own).end(JSON.stringify(body));
  });
}
