// A search server with Fastify. Its own parsers are replaced by one that leaves the body a stream.

import fastify from "fastify";
import { answerRequest } from "tandem-search/service";

/** A server; `listen` starts it. */
export async function searchServer(engine, access) {
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  app.all("/1/indexes/:indexName/query", async (request, reply) => {
    const gone = new AbortController();
    reply.raw.on("close", () => gone.abort());
    const { method, headers } = request;
    const asked = { indexName: request.params.indexName, method, headers, body: request.raw, signal: gone.signal };
    const { status, headers: own, body } = await answerRequest(engine, asked, access);
    return reply.code(status).headers(own).send(JSON.stringify(body));
  });
  await app.ready();
  return app.server;
}
