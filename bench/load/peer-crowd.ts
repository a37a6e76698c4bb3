// A process of thousands of peers, each from an address of its own in 127.0.0.0/8, spread evenly over torrents. Argument:
// a CrowdJob as JSON. Reports `connected` when all have been greeted. Lines on standard input: `trickle` begins small
// traffic (some haves, some blocks either way each second), `rest` ends it, `leave` closes everything, and `report` asks
// how many are open and what was moved.
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { makeSmallTorrents } from '../support/small-torrents.js';
import { SeededRandom } from '../support/seeded-random.js';
import { pause } from '../support/wait.js';
import { CrowdPeer } from './crowd-peer.js';
import { reportEvent } from './load-job.js';

const crowdJobSchema = z.object({
  port: z.int(),
  peers: z.int().positive(),
  torrents: z.int().positive(),
  pieceCount: z.int().positive(),
});

export type CrowdJob = z.infer<typeof crowdJobSchema>;

/** Begun at once: listeners have a backlog, and the daemon hears only so many that have not said what they want. */
const BATCH = 100;
const SECOND_MS = 1_000;
const KEEP_ALIVE_EVERY_TICKS = 60;
/** Each second, over all peers. */
const HAVES = 50;
const REQUESTS = 5;
const SERVED = 5;
const SEED = 3;
const FIRST_LISTEN_PORT = 20_000;

const job = crowdJobSchema.parse(JSON.parse(process.argv[2] ?? ''));
const { torrents, data } = makeSmallTorrents(job.torrents, job.pieceCount);
const random = new SeededRandom(SEED);
const peers: CrowdPeer[] = [];
let greeted = 0;
let closed = 0;
/** Of those, how many before they were greeted. */
let refused = 0;
let ticks = 0;
let isTrickling = false;

createInterface({ input: process.stdin })
  .on('line', onCommand)
  // The bench holds the other end.
  .on('close', () => process.exit(0));
setInterval(tick, SECOND_MS);
await connectAll();
reportEvent('connected', {});

/** Whoever is hung up on comes again, from another address. */
async function connectAll(): Promise<void> {
  while (greeted < job.peers) {
    const until = peers.length + Math.min(BATCH, job.peers - greeted);
    while (peers.length < until) peers.push(newPeer(peers.length));
    while (greeted + refused < until) await pause(5);
  }
}

function newPeer(number: number): CrowdPeer {
  let isGreeted = false;
  return new CrowdPeer({
    port: job.port,
    localAddress: `127.${10 + (number >> 8)}.${number & 255}.${1 + (number % 250)}`,
    infoHash: torrents[number % torrents.length]!.infoHash,
    peerId: `-CR0001-${String(number).padStart(12, '0')}`,
    listenPort: FIRST_LISTEN_PORT + number,
    bits: someBits(),
    data,
    onGreeted() {
      greeted++;
      isGreeted = true;
    },
    onClosed() {
      closed++;
      if (!isGreeted) refused++;
    },
  });
}

/** About half of the pieces, never all. */
function someBits(): Buffer {
  const bits = Buffer.from(random.bytes(Math.ceil(job.pieceCount / 8)));
  const spare = bits.length * 8 - job.pieceCount;
  bits[bits.length - 1]! &= (0xff << spare) & 0xff;
  bits[0]! &= 0x7f;
  return bits;
}

function tick(): void {
  ticks++;
  for (let i = ticks % KEEP_ALIVE_EVERY_TICKS; i < peers.length; i += KEEP_ALIVE_EVERY_TICKS) peers[i]!.keepAlive();
  if (!isTrickling) return;
  const open = peers.filter(({ isOpen }) => isOpen);
  for (let i = 0; i < HAVES && open.length > 0; i++) open[random.below(open.length)]!.have(anyPiece());
  for (const peer of some(
    open.filter(({ isUnchoked }) => isUnchoked),
    REQUESTS,
  ))
    peer.request(anyPiece());
  for (const peer of some(
    open.filter(({ isWanted }) => isWanted),
    SERVED,
  ))
    peer.serve(2);
}

/** Not the first one, which nobody has, so that nobody becomes a seed. */
function anyPiece(): number {
  return 1 + random.below(job.pieceCount - 1);
}

function some(from: readonly CrowdPeer[], count: number): CrowdPeer[] {
  return from.length === 0 ? [] : Array.from({ length: count }, () => from[random.below(from.length)]!);
}

function onCommand(line: string): void {
  if (line === 'trickle') isTrickling = true;
  else if (line === 'rest') isTrickling = false;
  else if (line === 'leave') for (const peer of peers) peer.leave();
  else if (line === 'report') {
    const sum = (of: (peer: CrowdPeer) => number) => peers.reduce((total, peer) => total + of(peer), 0);
    reportEvent('report', {
      open: peers.length - closed,
      unchoked: sum(({ isUnchoked }) => Number(isUnchoked)),
      received: sum(({ receivedBlocks }) => receivedBlocks),
      sent: sum(({ sentBlocks }) => sentBlocks),
    });
  }
}
