// A search server with Fastify. The request is answered before Fastify's own body parser would read it, so the parser stays as it is
// for all other routes.

import fastify from "fastify";
import { answerRequest } from "tandem-search/service";

/** The routes of the search, as a plugin: `app.register(searchRoutes, { engine, access })`. */
export async function searchRoutes(app, { engine, access }) {
  app.route({
    method: app.supportedMethods,
    url: "/1/indexes/:indexName/:operation",
    async onRequest(request, reply) {
      const gone = new AbortController();
      reply.raw.on("close", () => gone.abort());
      const { method, headers, raw: body } = request;
      const { indexName, operation } = request.params;
      const asked = { indexName, operation, method, headers, body, signal: gone.signal };
      const answer = await answerRequest(engine, asked, access);
      return reply.code(answer.status).headers(answer.headers).send(JSON.stringify(answer.body));
    },
    handler() {}, // never reached
  });
}

/** A server; `listen` starts it. */
export async function searchServer(engine, access) {
  const app = fastify();
  await app.register(searchRoutes, { engine, access });
  app.post("/orders", async (request) => ({ ordered: request.body })); // its body is parsed by Fastify
  await app.ready();
  return app.server;
}
