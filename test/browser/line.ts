// A way from the browser to the daemon that can be cut, or can fall silent.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Line {
  readonly url: string;
  /** There is a WebSocket. */
  readonly isOpen: boolean;
  /** Ends the WebSockets that go over it. */
  cut(): void;
  /** Resolves with the next WebSocket. */
  opened(): Promise<void>;
  /** From now on nothing comes through it, and nobody is told: neither old connections nor those that are made meanwhile. */
  stall(): void;
  /** New connections come through again; those of before stay as they are. */
  restore(): void;
  close(): void;
}

/** The way from the browser to the daemon. */
export async function startLine(port: number): Promise<Line> {
  const all = new Set<Socket>();
  const webSockets = new Set<Socket>();
  let onOpened = () => {};
  let isStalled = false;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      all.add(from);
      from.on('error', () => to.destroy()).on('close', () => (all.delete(from), webSockets.delete(from), to.destroy()));
      if (!isStalled) from.pipe(to);
    }
    near.on('data', (data) => {
      if (!data.toString('latin1').startsWith('GET /api/ws')) return;
      webSockets.add(near);
      onOpened();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isOpen() {
      return webSockets.size > 0;
    },
    cut: () => webSockets.forEach((socket) => socket.destroy()),
    opened: () => new Promise((resolve) => (onOpened = resolve)),
    stall() {
      isStalled = true;
      all.forEach((socket) => socket.unpipe().pause());
    },
    restore: () => void (isStalled = false),
    close() {
      server.close();
      all.forEach((socket) => socket.destroy());
    },
  };
}
