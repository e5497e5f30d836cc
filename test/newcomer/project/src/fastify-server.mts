import fastify, { type FastifyInstance } from "fastify";
import type { SearchEngine } from "tandem-search";
import { answerRequest, type ServiceAccess } from "tandem-search/service";

export function searchServer(engine: SearchEngine, access: ServiceAccess): FastifyInstance {
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  app.all<{ Params: { indexName: string } }>("/1/indexes/:indexName/query", async (request, reply) => {
    const { method, headers, params } = request;
    const asked = { indexName: params.indexName, method, headers, body: request.raw };
    const { status, headers: own, body } = await answerRequest(engine, asked, access);
    return reply.code(status).headers(own).send(JSON.stringify(body));
  });
  return app;
}
