// A Unix socket in front of another one, whose connections a test cuts: both sides lose the stream and nothing else.
import { createServer, connect, type Server, type Socket } from 'node:net';

export class CutRelay {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  cuts = 0;

  private constructor(private readonly server: Server) {}

  static async start(path: string, target: string): Promise<CutRelay> {
    const server = createServer();
    const relay = new CutRelay(server);
    server.on('connection', (near) => relay.#join(near, connect(target)));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return relay;
  }

  /** All that go through it. */
  cut(): void {
    this.cuts++;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  #join(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.pipe(far);
    far.pipe(near);
  }
}
