// An HTTP proxy on loopback that knows CONNECT and nothing else, and names that nobody else does.
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface ConnectProxy {
  readonly port: number;
  /** `host:port` of each CONNECT that was let through. */
  readonly targets: readonly string[];
  readonly turnedAway: number;
  close(): Promise<void>;
}

export interface ConnectProxyOptions {
  readonly names?: Readonly<Record<string, string>>;
  /** `name:password`. @default none is asked for */
  readonly credentials?: string;
}

export async function startConnectProxy({ names = {}, credentials }: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  let turnedAway = 0;
  const server = createServer((_request, response) => response.writeHead(405).end());
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  server.on('connect', (request, client: Socket) => {
    keep(client);
    const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (request.headers['proxy-authorization'] !== expected) {
      turnedAway++;
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    }
    const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d+)$/.exec(request.url ?? '') ?? [];
    targets.push(`${host}:${port}`);
    const target = keep(connect({ host: names[host] ?? host, port: Number(port) }));
    target.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    target.once('close', () => client.destroy());
    client.once('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    targets,
    get turnedAway() {
      return turnedAway;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
