// A server on loopback that outbound fetches meet: answers as it is told to, and counts who came.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { TEST_CERTIFICATE, TEST_KEY } from './tls-fixture.js';

export type Respond = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface UpstreamOptions {
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** @default a free one */
  readonly port?: number;
  /** With the certificate of {@link TEST_CERTIFICATE}, for `localhost`. */
  readonly https?: boolean;
}

export interface Upstream {
  readonly port: number;
  /** Without a slash at the end. */
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
  /** Sockets that were opened, whether or not anything was asked. */
  readonly connections: number;
  close(): Promise<void>;
}

export async function startUpstream(respond: Respond, options: UpstreamOptions = {}): Promise<Upstream> {
  const { host = '127.0.0.1', port: wanted = 0, https = false } = options;
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(request);
    respond(request, response);
  };
  const server = https
    ? createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, onRequest)
    : createHttpServer(onRequest);
  server.on('connection', () => connections++);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted, host, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    origin: `${https ? 'https' : 'http'}://${host}:${port}`,
    requests,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
