// A search server with Express. No body parser stands before it: the request is the body.

import { createServer } from "node:http";
import express from "express";
import { answerRequest } from "tandem-search/service";

/** A server; `listen` starts it. */
export function searchServer(engine, access) {
  const app = express();
  app.all("/1/indexes/:indexName/:operation", async (request, response) => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const { method, headers } = request;
    const { indexName, operation } = request.params;
    const asked = { indexName, operation, method, headers, body: request, signal: gone.signal };
    const { status, headers: own, body } = await answerRequest(engine, asked, access);
    response.writeHead(status, own).end(JSON.stringify(body));
  });
  return createServer(app);
}
