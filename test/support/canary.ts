// A service on this machine that must not be talked to: counts who comes, by TCP and by UDP, and answers as a tracker
// that tells a secret.
import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';

export interface Canary {
  readonly host: string;
  readonly port: number;
  /** `host:port` */
  readonly address: string;
  /** What each connection and datagram brought, as latin1. */
  readonly heard: readonly string[];
  /** Connections that are open. */
  readonly open: number;
  close(): Promise<void>;
}

/** `answer`: sent to whoever connects and says something; empty: silence. */
export async function startCanary(host: string, answer: string | Uint8Array = ''): Promise<Canary> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const at = heard.push('') - 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.on('data', (bytes) => {
      heard[at] += bytes.toString('latin1');
      if (answer.length > 0) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const udp = createSocket('udp4').on('message', (bytes) => heard.push(bytes.toString('latin1')));
  await new Promise<void>((resolve) => udp.bind(port, host, resolve));
  return {
    host,
    port,
    address: `${host}:${port}`,
    heard,
    get open() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      udp.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** As an HTTP answer that says its own end. */
export function httpAnswer(body: string | Uint8Array, head = 'HTTP/1.1 200 OK'): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`${head}\r\ncontent-length: ${bytes.length}\r\nconnection: close\r\n\r\n`), bytes]);
}
