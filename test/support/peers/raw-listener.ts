// Bare sockets that wait for others to dial them: peers that a test tells a program of.
import { createServer } from 'node:net';
import { RawPeer } from './raw-peer.js';

export interface RawListener {
  readonly host: string;
  readonly port: number;
  /** `host:port` */
  readonly address: string;
  /** Everybody who has called so far. */
  readonly callers: readonly RawPeer[];
  close(): Promise<void>;
}

/** `greet`: what to do with a caller; without it nothing is said. @default host 127.0.0.1 */
export async function listenRaw(greet?: (caller: RawPeer) => void, host = '127.0.0.1'): Promise<RawListener> {
  const callers: RawPeer[] = [];
  const server = createServer((socket) => {
    const caller = RawPeer.over(socket);
    callers.push(caller);
    greet?.(caller);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const { port } = address;
  return {
    host,
    port,
    address: `${host}:${port}`,
    callers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const caller of callers) caller.destroy();
      }),
  };
}
