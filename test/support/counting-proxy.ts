// Stands between an engine and a node, and counts what goes over the wire: requests, and documents that are read. `before` runs before
// a request goes on, as another process might act at that moment; `answer` may change what is answered, or answer in place of the node.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingProxy {
  readonly url: string;
  readonly asked: string[];
  readonly requests: number;
  /** Hits that came with the data of their record. */
  documents: number;
  readonly close: () => Promise<void>;
}

/** `asked`: method and URL. `ask` gives the answer of the node. */
export type ProxyAnswer = (asked: string, ask: () => Promise<string>) => Promise<string> | string;

export async function countingProxy(
  node: string,
  before: (url: string) => Promise<void> = async () => {},
  answer: ProxyAnswer = (_, ask) => ask(),
): Promise<CountingProxy> {
  const server = createServer((request, response) => void pass(request, response));
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", headers, url } = request;
    proxy.asked.push(`${method} ${url}`);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    await before(url!);
    const type = headers["content-type"];
    let status = 200;
    const text = await answer(`${method} ${url}`, async () => {
      const from = await fetch(node + url, {
        method,
        headers: type === undefined ? {} : { "content-type": type },
        ...(parts.length > 0 && { body: Buffer.concat(parts) }),
      });
      ({ status } = from);
      return from.text();
    });
    proxy.documents += text.split('"json":').length - 1;
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    get requests() {
      return this.asked.length;
    },
    documents: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
