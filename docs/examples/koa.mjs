// A search server with Koa. No body parser stands before it: the request is the body.

import { createServer } from "node:http";
import { unescape as decoded } from "node:querystring"; // unlike decodeURIComponent, it never throws
import Koa from "koa";
import { answerRequest } from "tandem-search/service";

/** A server; `listen` starts it. */
export function searchServer(engine, access) {
  const app = new Koa();
  app.use(async (context) => {
    const [, name, operation] = /^\/1\/indexes\/([^/]+)\/([^/]+)$/.exec(context.path) ?? [];
    if (name === undefined) return;
    const gone = new AbortController();
    context.res.on("close", () => gone.abort());
    const { method, headers, req } = context;
    const indexName = decoded(name);
    const asked = { indexName, operation: decoded(operation), method, headers, body: req, signal: gone.signal };
    const { status, headers: own, body } = await answerRequest(engine, asked, access);
    context.status = status;
    context.set(own);
    context.body = JSON.stringify(body);
  });
  // A client that hangs up is no error of the server.
  const isGone = ({ code = "" }) => code === "ECONNRESET" || code.startsWith("HPE_");
  app.on("error", (error) => isGone(error) || console.error(error));
  return createServer(app.callback());
}
