// Stands between an engine and a node, and counts what goes over the wire: requests, and documents that are read. `before` runs before
// a request goes on, as another process might act at that moment.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What was counted. */
export interface CountingProxy {
  readonly url: string;
  requests: number;
  /** Hits that came with the data of their record. */
  documents: number;
  readonly close: () => Promise<void>;
}

export async function countingProxy(
  node: string,
  before: (url: string) => Promise<void> = async () => {},
): Promise<CountingProxy> {
  const server = createServer((request, response) => void pass(request, response));
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // That of the settings is sent now and then, whatever is asked.
    if (!request.url!.includes("/_mapping")) proxy.requests++;
    const { method = "GET", headers } = request;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await before(request.url!);
    const type = headers["content-type"];
    const answer = await fetch(node + request.url, {
      method,
      headers: type === undefined ? {} : { "content-type": type },
      ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    });
    const text = await answer.text();
    proxy.documents += text.split('"json":').length - 1;
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    documents: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
