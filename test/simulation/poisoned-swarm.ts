// One whole engine that downloads from one honest peer and four that spoil blocks, each in its own style: who is
// banned, after how many failed pieces, and what it costs (docs/limits.md 2.13).
import t, { type Test } from 'tap';
import { seededBytes } from '../support/make-torrent.js';
import { ScriptedSwarmPeer, type AskedBlock } from '../support/peers-scripted-swarm.js';
import { SeededRandom } from '../support/seeded-random.js';
import { simulations } from '../support/simulations.js';
import { PEER_PORT, SimulatedSwarm, type SimulatedNode } from '../support/simulated-swarm.js';

const PIECE_LENGTH = 128 * 1024;
const BLOCK_BYTES = 16 * 1024;
const BLOCKS_PER_PIECE = PIECE_LENGTH / BLOCK_BYTES;
const PIECES = 80;
const PAYLOAD = seededBytes(1, PIECES * PIECE_LENGTH - 5_000);
/** Less than a third of the pieces are in progress at once. */
const SLAB_BYTES = 2 * 1024 * 1024;
const LIMIT_MS = 5 * 60_000;
const STEP_MS = 250;

/** Whether a block is to be spoilt. */
type Style = (block: AskedBlock, random: SeededRandom) => boolean;

/** About one block in twenty each. */
const STYLES: Readonly<Record<string, Style>> = {
  always: ({ piece, begin }) => (piece * BLOCKS_PER_PIECE + begin / BLOCK_BYTES) % 20 === 7,
  sometimes: (_block, random) => random.below(20) === 0,
  ownPieces: ({ piece }, random) => piece % 4 === 1 && random.below(5) === 0,
  wholePieces: ({ piece }) => piece % 20 === 11,
};
const SPOILERS = Object.keys(STYLES).length;
/** Failed pieces that it may cost (docs/limits.md 2.13). */
const MAX_FAILED_PIECES = 0.03 * PIECES + SPOILERS;
/** A spoiler's first failure and its next: what was in progress with the first counts with it. */
const MAX_OFFENCES = 2;

interface Part {
  /** When it was asked for its first block of the piece since that failed last. */
  readonly sinceMs: number;
  isSpoilt: boolean;
}

interface Participant {
  readonly name: string;
  readonly peer: ScriptedSwarmPeer;
  readonly parts: Map<number, Part>;
  /** When a piece failed first in which it had a part. */
  firstFailureMs: number;
  offences: number;
  /** It got a spoilt block into a piece. */
  hasSpoilt: boolean;
}

export interface PoisonedOptions {
  /** Where peer `n` is; 0 is the honest one. */
  readonly hostOf: (n: number) => string;
  /** The honest peer is alone for this long. @default 0 */
  readonly headStartMs?: number;
  readonly slabBytes?: number;
}

/** `count` seeds from `first`; a test file for each share, so that they run side by side. */
export function poisonedSwarms(name: string, first: number, count: number, options: PoisonedOptions): void {
  const last = first + simulations(count) - 1;
  void t.test(`${name}, seeds ${first} to ${last}`, { timeout: 120_000 }, async (t) => {
    for (let seed = first; seed <= last; seed++) await poisonedDownload(t, seed, options);
  });
}

async function poisonedDownload(t: Test, seed: number, options: PoisonedOptions): Promise<void> {
  const { hostOf, headStartMs = 0, slabBytes = SLAB_BYTES } = options;
  const shape = { pieceLength: PIECE_LENGTH, latencyMs: 25, peersPerReply: 0 };
  const swarm = new SimulatedSwarm(seed, { ...shape, payload: PAYLOAD, payloadBytes: PAYLOAD.length });
  const everybody: Participant[] = [];
  const banned = new Set<string>();
  const node = await swarm.join('leech', {
    engine: { slabBytes },
    log: {
      info: (message, fields) => message === 'peer banned' && banned.add(String(fields?.['peerId'])),
      debug: (message, fields) => {
        if (message === 'piece failed its hash')
          onPieceFailed(everybody, Number(fields?.['piece']), swarm.clock.nowMs());
      },
      warn: () => undefined,
      error: () => undefined,
    },
  });
  everybody.push(join(swarm, node, 'honest', hostOf(0)));
  if (headStartMs > 0) await swarm.run(headStartMs, () => false, STEP_MS);
  for (const [n, name] of Object.keys(STYLES).entries()) everybody.push(join(swarm, node, name, hostOf(n + 1)));
  const isComplete = await swarm.run(LIMIT_MS, () => node.isComplete, STEP_MS);
  t.ok(isComplete && node.hasPayload, `seed ${seed}: complete and right`);
  const [honest, ...spoilers] = everybody;
  t.notOk(banned.has(honest!.peer.peerId), `seed ${seed}: the honest peer is not banned`);
  for (const { name, peer, offences, hasSpoilt } of spoilers) {
    if (!hasSpoilt) continue;
    t.ok(banned.has(peer.peerId), `seed ${seed}: ${name} is banned`);
    t.ok(offences <= MAX_OFFENCES, `seed ${seed}: ${name} is banned after ${offences} failures`);
  }
  const { failedPieces, wastedBytes, bans } = node.session.health();
  t.ok(failedPieces <= MAX_FAILED_PIECES, `seed ${seed}: ${failedPieces} pieces failed`);
  t.ok(wastedBytes <= failedPieces * PIECE_LENGTH && bans === banned.size, `seed ${seed}: counted`);
  await swarm.stop();
}

function join(swarm: SimulatedSwarm, node: SimulatedNode, name: string, host: string): Participant {
  const { clock, network, metainfo, payload, random } = swarm;
  const { infoHash, pieceLength } = metainfo.info;
  const own = new SeededRandom(random.below(2 ** 31));
  const style = STYLES[name];
  const parts: Participant['parts'] = new Map();
  const peer = new ScriptedSwarmPeer(
    { clock, network, infoHash, payload, pieceLength },
    {
      host,
      name,
      has: 'everything',
      giveBytesPerSec: 200_000 + random.below(800_000),
      onAsked: ({ piece }) => {
        if (!parts.has(piece)) parts.set(piece, { sinceMs: clock.nowMs(), isSpoilt: false });
      },
      answer: (block, right) => {
        if (!style?.(block, own)) return right;
        const part = parts.get(block.piece);
        if (part) part.isSpoilt = true;
        const wrong = right.slice();
        wrong[own.below(wrong.length)]! ^= 1 + own.below(255);
        return wrong;
      },
    },
    { host: node.host, port: PEER_PORT },
  );
  return { name, peer, parts, firstFailureMs: Infinity, offences: 0, hasSpoilt: false };
}

function onPieceFailed(everybody: readonly Participant[], piece: number, nowMs: number): void {
  for (const participant of everybody) {
    const part = participant.parts.get(piece);
    participant.parts.delete(piece);
    if (!part || participant.peer.closed !== null) continue;
    if (part.isSpoilt) participant.hasSpoilt = true;
    if (participant.offences === 0 || part.sinceMs > participant.firstFailureMs) participant.offences++;
    participant.firstFailureMs = Math.min(participant.firstFailureMs, nowMs);
  }
}
