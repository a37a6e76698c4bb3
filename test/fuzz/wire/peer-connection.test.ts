// docs/limits.md 2.10: whatever a peer sends is an outcome with a code. Nothing is thrown, no promise is left rejected
// (tap fails on both), the connection closes at most once, and memory stays with the bytes that were sent.
import t from 'tap';
import bencode from 'bencode';
import { parseInfoHash, parsePeerId } from '../../../shared-protocol/ids.js';
import { createMetadataExtension } from '../../../engine/wire/metadata-extension.js';
import { block, extended, extendedHandshake, frame, handshake, KEEP_ALIVE, request } from '../../support/frames.js';
import { FUZZ_SEED, fuzzRuns } from '../../support/fuzzing.js';
import { MemoryNetwork } from '../../support/memory-network.js';
import { RecordedConnection } from '../../support/recorded-connection.js';
import { ScriptedPeer, settle } from '../../support/scripted-peer.js';
import { SeededRandom } from '../../support/seeded-random.js';

const STREAMS = fuzzRuns(1_500);
const INFO_HASH = parseInfoHash('0123456789abcdef0123456789abcdef01234567');
const US = parsePeerId('aa'.repeat(20));
const THEM = parsePeerId('bb'.repeat(20));

const metadata = (fields: Readonly<Record<string, number>>, length = 0): Buffer =>
  extended(1, Buffer.concat([bencode.encode(fields), Buffer.alloc(length, 0x65)]));

/** A conversation that has something of everything. */
const VALID: readonly Uint8Array[] = [
  handshake({ infoHash: INFO_HASH, peerId: THEM }),
  extendedHandshake({ m: { ut_metadata: 3, ut_pex: 1 }, metadata_size: 20_000, reqq: 250, p: 6881, v: 'x 1.0' }),
  frame(5, [], Buffer.of(0xff, 0x80)),
  frame(1),
  frame(2),
  frame(4, [7]),
  metadata({ msg_type: 0, piece: 0 }),
  metadata({ msg_type: 1, piece: 0, total_size: 20_000 }, 16_384),
  metadata({ msg_type: 1, piece: 1, total_size: 20_000 }, 3_616),
  metadata({ msg_type: 2, piece: 1 }),
  request(1, 0, 16_384),
  block(2, 16_384, Buffer.alloc(500, 1)),
  frame(17, [3]),
  frame(13, [3]),
  frame(14),
  frame(9, [], Buffer.of(26, 225)),
  KEEP_ALIVE,
  frame(0),
  frame(3),
];

/** Pieces of bencode that make decoders stumble. */
const NASTY = [
  'i-0e',
  'i5e',
  'le',
  'd',
  'l',
  'e',
  '-3:',
  '0:',
  '9999999999:',
  '9:__proto__',
  '8:toStringi1e',
  'i1e',
  ':',
];

/** Keys that mean something to the protocol, or to a decoder that keeps them in a plain object. */
const KEYS = ['m', 'ut_metadata', 'metadata_size', 'msg_type', 'piece', 'p', 'reqq', 'v', '__proto__', 'toString'];

/** Well-formed bencode of any shape, more often a dictionary than not. */
function randomBencode(random: SeededRandom, depth: number): string {
  const kind = depth === 0 ? random.below(2) : random.below(8);
  if (kind === 0) return `i${random.below(3) - 1}e`;
  if (kind === 1) {
    const text = Buffer.from(random.bytes(random.below(6))).toString('latin1');
    return `${text.length}:${text}`;
  }
  if (kind === 2) return `l${randomBencode(random, depth - 1)}e`;
  const keys = KEYS.filter(() => random.below(3) === 0);
  return `d${keys.map((key) => `${key.length}:${key}${randomBencode(random, depth - 1)}`).join('')}e`;
}

function randomStream(random: SeededRandom): Uint8Array {
  const kind = random.below(5);
  const start = VALID[0] ?? new Uint8Array(0);
  if (kind === 0) return random.bytes(random.below(400));
  if (kind === 1) return Buffer.concat([start, random.bytes(random.below(4_000))]);
  if (kind === 2) {
    const messages = Array.from({ length: 1 + random.below(4) }, () =>
      extended(random.below(2), Buffer.from(randomBencode(random, 3), 'latin1')),
    );
    return Buffer.concat([start, ...messages]);
  }
  const parts = [start];
  for (let i = random.below(20); i >= 0; i--) {
    const chosen = VALID[1 + random.below(VALID.length - 1)] ?? KEEP_ALIVE;
    parts.push(kind === 3 ? chosen : withNastyPayload(chosen, random));
  }
  const stream = Buffer.concat(parts);
  for (let i = random.below(6); i > 0; i--) stream[random.below(stream.length)] = random.below(256);
  return random.below(3) === 0 ? stream.subarray(0, random.below(stream.length)) : stream;
}

/** An extension message with bencode put into it, its length prefix kept right so that it gets as far as it can. */
function withNastyPayload(message: Uint8Array, random: SeededRandom): Uint8Array {
  if (message[4] !== 20) return message;
  const payload = Buffer.from(message.subarray(6)).toString('latin1');
  const at = random.below(Math.min(payload.length, 120) + 1);
  const nasty = Array.from({ length: 1 + random.below(3) }, () => NASTY[random.below(NASTY.length)] ?? '').join('');
  const changed = payload.slice(0, at) + nasty + payload.slice(at + random.below(6));
  return extended(message[5] ?? 0, Buffer.from(changed, 'latin1'));
}

for (const direction of ['incoming', 'outgoing'] as const) {
  void t.test(`${STREAMS} streams into an ${direction} connection, seed ${FUZZ_SEED}`, async (t) => {
    const random = new SeededRandom(FUZZ_SEED + (direction === 'incoming' ? 1 : 2));
    const reasons = new Map<string, number>();
    for (let i = 0; i < STREAMS; i++) {
      const network = new MemoryNetwork({ readBytes: 1 + random.below(3_000) });
      const [opener, accepted] = network.pair();
      const [ours, theirs] = direction === 'incoming' ? [accepted, opener] : [opener, accepted];
      const extension = createMetadataExtension(random.below(2) === 0 ? Buffer.from('d4:name1:xe') : null, {
        onExchange: (exchange) => exchange.fetch(),
        mayServe: () => true,
        onInfo: () => undefined,
        onUnavailable: () => undefined,
        onInvalid: (detail) => us.connection.close('WIRE_EXTENSION_INVALID', detail),
      });
      const us = new RecordedConnection(ours, { direction, infoHash: INFO_HASH, peerId: US, extension });
      const peer = new ScriptedPeer(theirs);
      peer.send(randomStream(random));
      await settle();
      if (us.closes.length > 1) t.fail(`stream ${i} closed ${us.closes.length} times`);
      if (us.closes.length === 1 && us.heard.at(-1) !== `close ${us.closes[0]?.reason}`) {
        t.fail(`stream ${i}: ${us.heard.at(-1)} heard after the close`);
      }
      const reason = us.closes[0]?.reason ?? 'open';
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      us.connection.close('ENGINE_STOPPING');
      peer.socket.destroy();
      await settle();
      if (us.closes.length !== 1) t.fail(`stream ${i} closed ${us.closes.length} times`);
      if (network.openSockets !== 0) t.fail(`stream ${i} leaves a socket open`);
    }
    t.comment(Object.fromEntries(reasons));
    // The streams are worth something only if they reach all of these.
    for (const reason of [
      'open',
      'WIRE_NOT_BITTORRENT',
      'WIRE_FRAME_TOO_LARGE',
      'WIRE_EXTENSION_INVALID',
      'WIRE_MESSAGE_LENGTH',
    ]) {
      t.ok((reasons.get(reason) ?? 0) > 0, reason);
    }
    t.notOk(reasons.has('SOCKET_CLOSED'), 'the wire never ends by itself');
  });
}
