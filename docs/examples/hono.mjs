// A search server with Hono, on Node. The route and the handler are the same wherever Hono runs.

import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { answerRequest } from "tandem-search/service";

/** A server; `listen` starts it. */
export function searchServer(engine, access) {
  const app = new Hono();
  app.all("/1/indexes/:indexName/:operation", async (context) => {
    const { method, headers, body, signal } = context.req.raw;
    const { indexName, operation } = context.req.param();
    const asked = { indexName, operation, method, headers, body, signal };
    const answer = await answerRequest(engine, asked, access);
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.headers });
  });
  return createAdaptorServer({ fetch: app.fetch });
}
