// docs/limits.md 2.17 and 2.10: whatever a peer sends as peer exchange is peers that can be, or one report of what was
// wrong. Nothing is thrown (tap fails on it), and the messages go through a real wire pair.
import t from 'tap';
import bencode from 'bencode';
import fc from 'fast-check';
import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { parseInfoHash, parsePeerId } from '../../../shared-protocol/ids.js';
import { formatAddress } from '../../../engine/net/address.js';
import { createPexExtension, type PexMessage } from '../../../engine/pex/extension.js';
import { readPexMessage } from '../../../engine/pex/message.js';
import type { PeerAddress } from '../../../engine/environment.js';
import { extended, extendedHandshake, handshake } from '../../support/frames.js';
import { FUZZ_SEED, fuzzRuns } from '../../support/fuzzing.js';
import { MemoryNetwork } from '../../support/memory-network.js';
import { RecordedConnection } from '../../support/recorded-connection.js';
import { ScriptedPeer, settle } from '../../support/scripted-peer.js';
import { readAsLibtorrent, type PexReading } from '../../unit/engine/wire/pex-reading.js';

const RUNS = fuzzRuns(5_000);
const INFO_HASH = parseInfoHash('0123456789abcdef0123456789abcdef01234567');
const US = parsePeerId('aa'.repeat(20));
const THEM = parsePeerId('bb'.repeat(20));

const KEYS = ['added', 'added.f', 'added6', 'added6.f', 'dropped', 'dropped6', '__proto__', 'toString', 'x'];
const bytes = fc.uint8Array({ maxLength: 90, size: 'max' });
/** Multiples of 18 are right for every key. */
const compact = fc
  .tuple(fc.nat(80), fc.uint8Array({ minLength: 18, maxLength: 18 }))
  .map(([count, entry]) => Buffer.concat(Array.from({ length: count }, (_, i) => Buffer.from(entry).fill(i, 4, 5))));
const value = fc.oneof(
  { weight: 6, arbitrary: compact },
  { weight: 1, arbitrary: bytes },
  { weight: 1, arbitrary: fc.integer({ min: -9, max: 2 ** 40 }) },
  { weight: 1, arbitrary: fc.array(bytes, { maxLength: 3 }) },
);
const dictionary = fc
  .dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 6 })
  .map((fields) => Buffer.from(bencode.encode({ ...fields })));
const mutated = fc
  .tuple(dictionary, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), fc.nat(9))
  .map(([message, changes, cut]) => {
    const copy = Buffer.from(message);
    for (const [at, byte] of changes) copy[at % copy.length] = byte;
    return cut === 0 ? copy.subarray(0, copy.length >> 1) : copy;
  });
const payload = fc.oneof(dictionary, mutated, bytes);

const isPossible = ({ host, port }: PeerAddress): boolean =>
  isIP(host) > 0 && !host.includes('%') && Number.isInteger(port) && port > 0 && port < 65_536;

/** What we sent is what we had heard, each address once; in both lists means added. */
function isEcho(echo: PexReading, { added, dropped }: PexMessage): boolean {
  const there = new Set(added.map(({ address }) => formatAddress(address)));
  const gone = new Set(dropped.map(formatAddress).filter((address) => !there.has(address)));
  const echoed = echo.added.map((address) => address.replace(/\/[0-9]+$/, ''));
  return isDeepStrictEqual([[...there].sort(), [...gone].sort()], [echoed.sort(), [...echo.dropped].sort()]);
}

void t.test(`reading, seed ${FUZZ_SEED}`, async (t) => {
  const outcomes = { read: 0, refused: 0, full: 0 };
  fc.assert(
    fc.property(payload, (message) => {
      const fields = readPexMessage(message);
      if (typeof fields === 'string') {
        outcomes.refused++;
        return fields.length > 0 && fields.length < 200;
      }
      outcomes.read++;
      const added = fields.added.length / 6 + fields.added6.length / 18;
      const dropped = fields.dropped.length / 6 + fields.dropped6.length / 18;
      if (added === 50) outcomes.full++;
      return (
        Number.isInteger(added) &&
        Number.isInteger(dropped) &&
        added <= 50 &&
        dropped <= 50 &&
        fields['added.f'].length === fields.added.length / 6 &&
        fields['added6.f'].length === fields.added6.length / 18
      );
    }),
    { numRuns: RUNS },
  );
  t.comment(outcomes);
  t.ok(
    Object.values(outcomes).every((count) => count > RUNS / 50),
    'all outcomes are reached',
  );
});

void t.test(`through a wire pair, seed ${FUZZ_SEED}`, async (t) => {
  const outcomes = { peers: 0, invalid: 0, nothing: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(payload, { minLength: 1, maxLength: 6 }), fc.nat(255), async (messages, id) => {
      const network = new MemoryNetwork({ readBytes: 700 });
      const [opener, accepted] = network.pair();
      const heard: PexMessage[] = [];
      const invalid: string[] = [];
      let answer = (): void => undefined;
      const extension = createPexExtension(
        { nowMs: () => 0 },
        {
          onExchange: (exchange) => (answer = () => exchange.send(heard.at(-1) ?? { added: [], dropped: [] })),
          onSupported: () => undefined,
          onPeers: (added, dropped) => {
            heard.push({ added, dropped });
            answer();
          },
          onInvalid: (reason) => void invalid.push(reason),
        },
      );
      const us = new RecordedConnection(opener, { direction: 'outgoing', infoHash: INFO_HASH, peerId: US, extension });
      const peer = new ScriptedPeer(accepted);
      peer.send(handshake({ infoHash: INFO_HASH, peerId: THEM }), extendedHandshake({ m: { ut_pex: id } }));
      for (const message of messages) peer.send(extended(1, message));
      await settle();
      const echoes = peer.frames
        .filter((frame) => frame.id === 20 && frame.payload[0] !== 0)
        .map((frame) => readAsLibtorrent(frame.payload.subarray(1)));
      const isOpen = !us.connection.closed;
      us.connection.close('ENGINE_STOPPING');
      peer.socket.destroy();
      await settle();
      outcomes.peers += heard.length;
      outcomes.invalid += invalid.length;
      outcomes.nothing += messages.length - heard.length - invalid.length;
      return (
        isOpen &&
        heard.length + invalid.length <= messages.length &&
        heard.every(({ added, dropped }) => added.length <= 50 && dropped.length <= 50) &&
        heard.every(({ added, dropped }) => [...added.map(({ address }) => address), ...dropped].every(isPossible)) &&
        echoes.length === (id === 0 ? 0 : heard.length) &&
        echoes.every((echo, i) => isEcho(echo, heard[i] ?? { added: [], dropped: [] })) &&
        network.openSockets === 0
      );
    }),
    { numRuns: fuzzRuns(600) },
  );
  t.comment(outcomes);
  t.ok(
    Object.values(outcomes).every((count) => count > 20),
    'all outcomes are reached',
  );
});
