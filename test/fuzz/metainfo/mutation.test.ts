// Mutated torrents, magnets and messages: whatever strangers send, the only thing ever thrown is an AppError, and what
// is accepted keeps the promises of its type.
import t from 'tap';
import { decodeBencode, scanBencode } from '../../../engine/metainfo/bencode.js';
import { joinInside, safeElement } from '../../../engine/metainfo/safe-path.js';
import { formatMagnet } from '../../../api/services/library/magnet.js';
import { parseMagnet } from '../../../engine/metainfo/magnet.js';
import { parseTorrentFile } from '../../../engine/metainfo/torrent-file.js';
import type { Metainfo } from '../../../engine/metainfo/types.js';
import { AppError } from '../../../shared-protocol/errors.js';
import { FUZZ_SEED, fuzzRuns, keepFailingInput } from '../../support/fuzzing.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { SeededRandom } from '../../support/seeded-random.js';

const RUNS = fuzzRuns(20_000);
const LIMITS = { maxDepth: 20, maxTokens: 1_000 };

/** Pieces of bencode that matter when they appear where they should not. */
const FRAGMENTS = [
  'e',
  'i-1e',
  'i0e',
  'le',
  'de',
  'd',
  'l',
  '0:',
  '999999999:',
  'i9007199254740993e',
  'i03e',
  '1:',
  '\xff',
  '2:..',
  '4:path',
  '6:length',
  'i99999999999999999999e',
];

const TORRENTS = [
  makeTorrent({
    name: 'one',
    pieceLength: 16_384,
    files: seededBytes(1, 70_000),
    trackers: ['http://a/x', 'udp://b:1'],
  }),
  makeTorrent({
    name: 'many',
    pieceLength: 16_384,
    files: [
      { path: ['a', 'b.txt'], bytes: seededBytes(2, 20_000) },
      { path: ['a', 'c'], bytes: seededBytes(3, 0) },
      { path: ['d'], bytes: seededBytes(4, 30_000) },
    ],
    padFiles: true,
    private: true,
    webSeeds: ['http://w/'],
  }),
].map(({ torrentBytes }) => Buffer.from(torrentBytes));

const MAGNET = `magnet:?xt=urn:btih:${'a1'.repeat(20)}&dn=n%20m&tr=http%3A%2F%2Fa%2Fx&x.pe=1.2.3.4:5&x.pe=[::1]:5&ws=http://w/&so=0,2-5`;

function mutate(original: Buffer, random: SeededRandom): Buffer {
  let bytes = Buffer.from(original);
  for (let change = random.below(4); change >= 0; change--) {
    const at = random.below(bytes.length + 1);
    const until = Math.min(bytes.length, at + 1 + random.below(12));
    const fragment = Buffer.from(FRAGMENTS[random.below(FRAGMENTS.length)] ?? '', 'latin1');
    switch (random.below(7)) {
      case 0:
        bytes[at % bytes.length] = random.below(256);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), fragment, bytes.subarray(at)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), fragment, bytes.subarray(until)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(until)]);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)]);
        break;
      case 5:
        // A digit: lengths, counts and sizes that lie.
        for (let i = at; i < bytes.length; i++) {
          const byte = bytes[i];
          if (byte === undefined || byte < 0x30 || byte > 0x39) continue;
          bytes[i] = 0x30 + random.below(10);
          break;
        }
        break;
      default:
        bytes = bytes.subarray(0, Math.max(1, at));
    }
    if (bytes.length === 0) return Buffer.from('d');
  }
  return bytes;
}

/** What a parsed torrent promises, whatever it was parsed from. */
function brokenPromise({ info, infoBytes, trackers }: Metainfo): string | null {
  if (info.pieceHashes.length !== info.pieceCount * 20) return 'hashes';
  if (info.pieceCount !== Math.ceil(info.totalBytes / info.pieceLength)) return 'piece count';
  if (infoBytes[0] !== 0x64) return 'info bytes';
  let offset = 0;
  const places = new Set<string>();
  for (const file of info.files) {
    if (file.offset !== offset || !Number.isSafeInteger(file.sizeBytes) || file.sizeBytes < 0) return 'offsets';
    offset += file.sizeBytes;
    if (file.path[0] !== info.name) return `shown as ${info.name}`;
    if (!file.path.every((element) => safeElement(element) === element)) return `path ${file.path.join('|')}`;
    const place = joinInside('/srv', file.path);
    if (!file.isPad && places.has(place)) return `place ${place}`;
    places.add(file.isPad ? `pad ${file.index}` : place);
  }
  if (offset !== info.totalBytes) return 'total';
  return trackers.flat().every((url) => /^(https?|udp):/i.test(url)) ? null : 'trackers';
}

type Tap = Pick<typeof t, 'ok' | 'fail'>;

/** Counts what was accepted; an untyped error or broken promise is reported with the seed. */
function fuzz(
  t: Tap,
  name: string,
  next: (random: SeededRandom) => Buffer,
  attempt: (input: Buffer) => string | null,
): void {
  const random = new SeededRandom(FUZZ_SEED);
  let accepted = 0;
  for (let run = 0; run < RUNS; run++) {
    const input = next(random);
    let problem: string | null;
    try {
      problem = attempt(input);
      accepted++;
    } catch (error) {
      problem = error instanceof AppError && error.code !== 'BUG' ? null : String(error);
    }
    if (problem !== null) return void t.fail(`${name}, run ${run}: ${problem}; ${keepFailingInput(name, input)}`);
  }
  t.ok(accepted > 0 && accepted < RUNS, `${name}: ${accepted} of ${RUNS} accepted, FUZZ_SEED=${FUZZ_SEED}`);
}

function mutatedTorrent(random: SeededRandom): Buffer {
  return mutate(TORRENTS[random.below(TORRENTS.length)] ?? Buffer.from('de'), random);
}

function rubble(random: SeededRandom): Buffer {
  const parts = Array.from({ length: random.below(8) }, () => FRAGMENTS[random.below(FRAGMENTS.length)] ?? '');
  return Buffer.from(parts.join(''), 'latin1');
}

void t.test('torrents', async (t) => {
  fuzz(t, 'mutated torrents', mutatedTorrent, (bytes) => brokenPromise(parseTorrentFile(bytes)));
});

void t.test('magnets', async (t) => {
  const mutated = (random: SeededRandom): Buffer => mutate(Buffer.from(MAGNET), random);
  fuzz(t, 'mutated magnets', mutated, (bytes) => {
    const magnet = parseMagnet(bytes.toString('latin1'));
    if (!/^[0-9a-f]{40}$/.test(magnet.infoHash)) return 'info hash';
    const badRange = magnet.selectOnly?.some(({ first, last }) => !(first >= 0 && last >= first));
    const badPeer = magnet.peers.some(({ port }) => !(port >= 1 && port <= 65_535));
    if (badRange || badPeer) return 'range or peer';
    const joined = magnet.trackers.flat().join('\n');
    const written = formatMagnet({ id: magnet.infoHash, name: magnet.name ?? '', trackers: joined });
    const { infoHash, name, trackers } = parseMagnet(written);
    const isSame = infoHash === magnet.infoHash && name === safeElement(magnet.name?.trim() ?? '');
    return (isSame || magnet.name === null) && trackers.flat().join('\n') === joined
      ? null
      : 'written and read again it is another';
  });
});

void t.test('bencode', async (t) => {
  fuzz(t, 'mutated bencode', mutatedTorrent, (bytes) => {
    decodeBencode(bytes, LIMITS);
    // Scanning accepts less than decoding, never more.
    return scanBencode(bytes, LIMITS).end > bytes.length ? 'read past the end' : null;
  });
  fuzz(t, 'random bencode', rubble, (bytes) => {
    decodeBencode(bytes, LIMITS);
    return null;
  });
});
