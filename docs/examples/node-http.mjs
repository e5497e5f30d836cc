// A search server with node:http alone.

import { createServer } from "node:http";
import { unescape as decoded } from "node:querystring"; // unlike decodeURIComponent, it never throws
import { answerRequest } from "tandem-search/service";

/** A server; `listen` starts it. */
export function searchServer(engine, access) {
  return createServer(async (request, response) => {
    const [, name, operation] = /^\/1\/indexes\/([^/?]+)\/([^/?]+)$/.exec(request.url) ?? [];
    if (name === undefined) return response.writeHead(404).end();
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const { method, headers } = request;
    const indexName = decoded(name);
    const asked = { indexName, operation: decoded(operation), method, headers, body: request, signal: gone.signal };
    const { status, headers: own, body } = await answerRequest(engine, asked, access);
    response.writeHead(status, own).end(JSON.stringify(body));
  });
}
