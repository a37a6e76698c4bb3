// A program, or a thread of one, that handles what nobody has caught as Swarmd does, and to which one such thing happens.
// Argument 1 says which. Prints `survived` or `fatal`; ends with 3 when it was fatal.
import { writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { handleUncaught } from '../../shared-protocol/uncaught.js';

const HAPPENINGS: Readonly<Record<string, () => void>> = {
  reset: () => withReset((socket) => socket.write('x')),
  rejection: () =>
    withReset((socket) => void new Promise((_resolve, reject) => socket.on('error', reject).write('x')).then()),
  bug: () => setImmediate(() => raise('ERR_INVALID_ARG_TYPE', 'none')),
  'bug-rejection': () => void Promise.reject(new Error('nobody waits for it')),
  disk: () => setImmediate(() => raise('EIO', 'read')),
};

const [kind = '', place = 'main'] = process.argv.slice(2);
if (place === 'thread' && isMainThread) {
  const worker = new Worker(fileURLToPath(import.meta.url), { argv: [kind, place] });
  worker.on('error', (error) => {
    say(`fatal ${error.message}`);
    process.exitCode = 3;
  });
} else {
  handleUncaught({
    survived: (error) => say(`survived ${error.message}`),
    fatal: (error, origin) => {
      if (!isMainThread) throw error;
      say(`fatal ${origin}`);
      process.exit(3);
    },
  });
  HAPPENINGS[kind]?.();
}

/** At once: what a thread says otherwise may be lost with it. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Two sockets over loopback: one has nobody who listens, and the other side resets it. */
function withReset(use: (socket: ReturnType<typeof connect>) => void): void {
  const server = createServer((accepted) => {
    server.close();
    accepted.resetAndDestroy();
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    use(connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1'));
  });
}

function raise(code: string, syscall: string): never {
  throw Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}
