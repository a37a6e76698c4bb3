// One connection that misbehaves: connects, says some part of a script in one piece or several, and leaves in one of the
// ways in which connections end. Over TCP or TLS; resolves when it has ended.
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { SeededRandom } from '../../support/seeded-random.js';
import { reset } from './reset.js';

export const ENDINGS = [
  'fin',
  'reset',
  'reset unsent',
  'reset at the answer',
  'garbage, fin',
  'garbage, reset',
  'deaf',
] as const;
export type Ending = (typeof ENDINGS)[number];

/** Against hangs: who is let wait is gone by then. */
const LEAVE_MS = 200;
const GARBAGE_BYTES = 2_000;

export interface Visit {
  readonly port: number;
  /** Which loopback address it comes from. @default 127.0.0.1 */
  readonly from?: string;
  readonly script: Uint8Array;
  /** How much of the script is said. */
  readonly cut: number;
  readonly ending: Ending;
  /** Says the script inside of TLS, after the handshake. */
  readonly secure?: boolean;
}

export async function pay(visit: Visit, random: SeededRandom): Promise<void> {
  const raw = connect({ host: '127.0.0.1', port: visit.port, localAddress: visit.from ?? '127.0.0.1' });
  raw.on('error', () => undefined);
  const gone = new Promise((resolve) => raw.once('close', resolve));
  const socket = visit.secure ? connectTls({ socket: streamOver(raw), rejectUnauthorized: false }) : raw;
  socket.on('error', () => undefined);
  const limit = setTimeout(() => reset(raw), LEAVE_MS);
  socket.once(visit.secure ? 'secureConnect' : 'connect', () => void act(visit, socket, raw, random));
  await gone;
  clearTimeout(limit);
  socket.destroy();
}

/** What TLS is given instead of the connection, which stays ours to cut and to write below it. */
function streamOver(raw: Socket): Duplex {
  const stream = new Duplex({
    read: () => undefined,
    write: (bytes: Uint8Array, _encoding, done) => void raw.write(bytes, () => done()),
  });
  raw.on('data', (bytes) => void stream.push(bytes)).once('close', () => stream.destroy());
  return stream;
}

async function act(visit: Visit, socket: Duplex, raw: Socket, random: SeededRandom): Promise<void> {
  const { ending, cut, script } = visit;
  const said = script.subarray(0, cut);
  if (ending === 'deaf') raw.pause();
  else socket.resume();
  if (ending === 'reset at the answer') socket.once('data', () => reset(raw));
  // Two pieces, so that the other side has read one of them.
  const middle = random.below(said.length + 1);
  if (ending === 'reset unsent') socket.write(said);
  else for (const piece of [said.subarray(0, middle), said.subarray(middle)]) await write(socket, piece);
  if (ending.startsWith('garbage')) {
    // Below TLS where there is TLS: records that are none.
    await write(random.below(2) === 0 ? raw : socket, random.bytes(1 + random.below(GARBAGE_BYTES)));
  }
  if (ending === 'fin' || ending === 'garbage, fin') raw.end();
  else if (ending !== 'deaf' && ending !== 'reset at the answer') reset(raw);
}

function write(socket: Duplex, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (bytes.length === 0 || socket.destroyed) resolve();
    else socket.write(bytes, () => resolve());
  });
}
