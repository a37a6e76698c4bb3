// A socket in front of a PostgreSQL's that lets so many bytes through, in both directions together, and nothing after them: whoever
// speaks through it stands still at a moment that a test chooses, with the server in the middle of whatever it was asked.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary-directory.js';

const SOCKET = '.s.PGSQL.5432';

export interface HaltingRelay {
  /** The folder of the socket. */
  readonly directory: string;
  /** How many bytes have come through. */
  readonly passed: number;
  /** Resolves when no more do. */
  readonly halted: Promise<void>;
  close(): void;
}

export async function startHaltingRelay(targetDirectory: string, limit: number): Promise<HaltingRelay> {
  const directory = await temporaryDirectory();
  const sockets = new Set<Socket>();
  let passed = 0;
  let halt = (): void => undefined;
  const halted = new Promise<void>((resolve) => (halt = resolve));
  const pump = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      const some = bytes.subarray(0, Math.max(limit - passed, 0));
      passed += some.length;
      if (some.length > 0) to.write(some);
      if (passed >= limit) halt();
    });
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
  };
  const server = createServer((near) => {
    const far = connect(join(targetDirectory, SOCKET));
    for (const socket of [near, far]) sockets.add(socket);
    pump(near, far);
    pump(far, near);
  });
  server.listen(join(directory, SOCKET));
  await once(server, 'listening');
  return {
    directory,
    get passed() {
      return passed;
    },
    halted,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
