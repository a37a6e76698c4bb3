// Downloads of incomplete files that have a suffix, each life of the daemon ended by SIGKILL at a random moment, most of them
// shortly after a file was completed. After each kill a file that has its own name must be whole, what is recorded must be on
// disk, and what others have in the folder as it was. It reads the store by itself: the daemon's word is not taken.
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isErrno } from '../../storage/atomic-file.js';
import { openTorrentStore } from '../../storage/lmdb-torrent-store.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { addShow, PIECE_LENGTH, SUFFIX } from '../support/incomplete-files.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { TIMEOUT_MS } from '../support/moves.js';
import { makeScratch } from '../support/peers/scratch.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { SeededRandom } from '../support/seeded-random.js';
import { storeOf } from '../support/own-engine.js';

const NAME = 'show';
const FILES = ['film', 'sound', 'deep/text', 'notes'];
const FILE_BYTES = [90_000, 40_000, 17, 60_001];
/** Files of others: beside, and under a name that an incomplete file of the torrent would have. */
const STRANGERS = ['strangers.txt', `notes${SUFFIX}`];
const MOST_PIECES_PER_LIFE = 5;
const LONGEST_WAIT_MS = 60;
const ENDS = ['sent', 'there', 'named', 'named'] as const;

export interface SuffixKillsReport {
  readonly rounds: number;
  /** Downloads that came to their end. */
  readonly completed: number;
  /** Names with the suffix that were seen after a kill, and files that had both names. */
  readonly seen: { incomplete: number; both: number };
  readonly lost: readonly string[];
  readonly double: readonly string[];
  readonly falseNames: readonly string[];
  readonly strangersHarmed: readonly string[];
}

interface Home {
  readonly dataDir: string;
  readonly savePath: string;
}

export async function runSuffixKills({
  rounds,
  seed,
}: {
  readonly rounds: number;
  readonly seed: number;
}): Promise<SuffixKillsReport> {
  const random = new SeededRandom(seed);
  const scratch = await makeScratch('suffix-kills');
  const home: Home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'files') };
  const made = madePayload();
  const [lost, double, falseNames, strangersHarmed]: [string[], string[], string[], string[]] = [[], [], [], []];
  const seen = { incomplete: 0, both: 0 };
  const note = (list: string[], round: number, lines: readonly string[]): void => {
    list.push(...lines.map((line) => `round ${round}: ${line}`));
  };
  let completed = 0;
  let recorded = 0;
  let daemon: DaemonUnderTest | null = null;
  try {
    await mkdir(join(home.savePath, NAME), { recursive: true });
    for (const name of STRANGERS) await writeFile(join(home.savePath, NAME, name), name);
    for (let round = 0; round <= rounds; round++) {
      daemon = await startDaemon(home);
      if (round === 0) await addShow(daemon, made);
      const found = await daemon.waitFor(made.infoHash, ({ verifying }) => !verifying, TIMEOUT_MS);
      if (found.bytes_done < recorded)
        note(lost, round, [`${found.bytes_done} bytes of ${recorded} that were recorded`]);
      if (found.completed || round === rounds) {
        await finish(daemon, made);
        note(lost, round, await notWhole(home));
        note(double, round, await elsewhere(home));
        if (round === rounds) {
          await daemon.stop();
          break;
        }
        completed++;
        await again(daemon, home, made);
      }
      await live(daemon, made, random);
      await daemon.kill();
      await look(home, seen, (lines) => note(falseNames, round, lines));
      const { bytes, wrong } = await recordedBytes(home, made);
      recorded = bytes;
      note(lost, round, wrong);
      note(strangersHarmed, round, await harmed(home));
    }
    return { rounds, completed, seen, lost, double, falseNames, strangersHarmed };
  } finally {
    await daemon?.kill();
    await scratch.remove();
  }
}

function madePayload(): MadeTorrent {
  const files = FILES.map((path, n) => ({ path: path.split('/'), bytes: contentOf(n) }));
  return makeTorrent({ name: NAME, pieceLength: PIECE_LENGTH, files });
}

const contentOf = (file: number): Uint8Array => seededBytes(file + 1, FILE_BYTES[file]!);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const pathOf = ({ savePath }: Home, file: number, suffix = ''): string => join(savePath, NAME, FILES[file]! + suffix);

const seedOf = ({ payload: bytes, infoHash }: MadeTorrent, { peerPort }: DaemonUnderTest, allowed: number) =>
  seedContent({ bytes, infoHash, pieceLength: PIECE_LENGTH }, peerPort, allowed);

/** A few pieces; it ends on the way, when they are there, or in the very moment in which a file has its own name. */
async function live(daemon: DaemonUnderTest, made: MadeTorrent, random: SeededRandom): Promise<void> {
  const { bytes_done: before } = await daemon.torrent(made.infoHash);
  const pieces = 1 + random.below(MOST_PIECES_PER_LIFE);
  const end = ENDS[random.below(ENDS.length)];
  const named = end === 'named' ? ownNameIn(join(daemon.savePath, NAME)) : null;
  const seed = await seedOf(made, daemon, pieces);
  const enough = Math.min(before + (pieces - 1) * PIECE_LENGTH + 1, made.payload.length);
  const isThere = (): Promise<true> =>
    waitUntil('pieces to come', TIMEOUT_MS, async () => {
      if (end === 'sent') return seed.sent > 0 ? true : undefined;
      return named?.isSeen === true || (await daemon.torrent(made.infoHash)).bytes_done >= enough ? true : undefined;
    });
  await (named ? Promise.race([named.seen, isThere()]) : isThere());
  if (end !== 'named') await sleep(random.below(LONGEST_WAIT_MS));
  named?.close();
  seed.destroy();
}

/** Waits for a file to get its own name in the folder. */
function ownNameIn(folder: string): { readonly seen: Promise<void>; readonly isSeen: boolean; close(): void } {
  let isSeen = false;
  const watcher = watch(folder);
  const seen = new Promise<void>((resolve) => {
    watcher.on('change', (_event, name) => {
      if (!FILES.includes(String(name))) return;
      isSeen = true;
      resolve();
    });
  });
  return {
    seen,
    get isSeen() {
      return isSeen;
    },
    close: () => watcher.close(),
  };
}

async function finish(daemon: DaemonUnderTest, made: MadeTorrent): Promise<void> {
  const seed = await seedOf(made, daemon, Infinity);
  await daemon.waitFor(made.infoHash, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  seed.destroy();
  // A check may have to end before names are given.
  const { savePath } = daemon;
  const isThere = (n: number) => lstat(pathOf({ dataDir: '', savePath }, n)).catch(() => null);
  await waitUntil('own names', TIMEOUT_MS, async () => {
    const there = await Promise.all(FILES.map((_, n) => isThere(n)));
    return there.every((stats) => stats?.nlink === 1) ? true : undefined;
  }).catch(() => undefined);
}

/** Removed with its data, and added anew. */
async function again(daemon: DaemonUnderTest, home: Home, made: MadeTorrent): Promise<void> {
  await daemon.api('DELETE', `/api/torrents/${made.infoHash}?delete=1`);
  // A folder may go while it is looked into.
  const count = () => filesIn(home).then(({ length }) => length, notThere);
  await waitUntil('its files to go', TIMEOUT_MS, async () => ((await count()) === STRANGERS.length ? true : undefined));
  await addShow(daemon, made);
}

async function filesIn({ savePath }: Home): Promise<string[]> {
  const found = await readdir(join(savePath, NAME), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

function notThere(error: unknown): null {
  if (isErrno(error, 'ENOENT')) return null;
  throw error;
}

/** What has its own name is whole; a file has both names only on its way from one to the other. */
async function look(
  home: Home,
  seen: SuffixKillsReport['seen'],
  note: (lines: readonly string[]) => void,
): Promise<void> {
  for (const n of FILES.keys()) {
    const own = await readFile(pathOf(home, n)).catch(() => null);
    const isStrangers = STRANGERS.includes(FILES[n]! + SUFFIX);
    const other = isStrangers ? null : await lstat(pathOf(home, n, SUFFIX)).catch(() => null);
    if (other) seen.incomplete++;
    if (!own) continue;
    // Where another's file has the name with the suffix it has its own from the beginning.
    if (!isStrangers && digest(own) !== digest(contentOf(n))) note([`${FILES[n]} is not whole`]);
    if (!other) continue;
    seen.both++;
    if ((await lstat(pathOf(home, n))).ino !== other.ino) note([`${FILES[n]} is there as another file as well`]);
  }
}

/** Recorded pieces, as they are on disk. */
async function recordedBytes(home: Home, { infoHash, payload }: MadeTorrent) {
  const store = openTorrentStore(storeOf(home.dataDir));
  const have = store.resume(infoHash)?.have;
  await store.close();
  const parts = await Promise.all(FILES.map((_, n) => present(home, n)));
  const there = Buffer.concat(parts.map((part, n) => Buffer.concat([part], FILE_BYTES[n])));
  const wrong: string[] = [];
  let bytes = 0;
  for (let piece = 0; piece * PIECE_LENGTH < payload.length; piece++) {
    if (!have || ((have[piece >>> 3]! >>> (7 - (piece & 7))) & 1) === 0) continue;
    const [from, to] = [piece * PIECE_LENGTH, Math.min((piece + 1) * PIECE_LENGTH, payload.length)];
    bytes += to - from;
    if (!there.subarray(from, to).equals(Buffer.from(payload.subarray(from, to))))
      wrong.push(`piece ${piece} is recorded`);
  }
  return { bytes, wrong };
}

async function present(home: Home, n: number): Promise<Buffer> {
  const own = await readFile(pathOf(home, n)).catch(() => null);
  return own ?? (await readFile(pathOf(home, n, SUFFIX)).catch(() => Buffer.alloc(0)));
}

async function notWhole(home: Home): Promise<string[]> {
  const lines: string[] = [];
  for (const n of FILES.keys()) {
    const own = await readFile(pathOf(home, n)).catch(() => null);
    if (!own || digest(own) !== digest(contentOf(n))) lines.push(`${FILES[n]} is not whole under its name`);
  }
  return lines;
}

async function elsewhere(home: Home): Promise<string[]> {
  const names = [...FILES, ...STRANGERS].map((name) => join(home.savePath, NAME, name));
  return (await filesIn(home)).filter((path) => !names.includes(path)).map((path) => `${path} as well`);
}

async function harmed({ savePath }: Home): Promise<string[]> {
  const lines: string[] = [];
  for (const name of STRANGERS) {
    const text = await readFile(join(savePath, NAME, name), 'utf8').catch(() => null);
    if (text !== name) lines.push(`${name} is ${text}`);
  }
  return lines;
}

/** Lines for people. */
export function renderSuffixKills({ seen, ...report }: SuffixKillsReport): string {
  const { rounds, completed, lost, double, falseNames, strangersHarmed } = report;
  return [
    `rounds ${rounds}, completed ${completed}, incomplete ${seen.incomplete}, with both names ${seen.both}`,
    ...[...lost, ...double, ...falseNames, ...strangersHarmed].map((line) => `  ${line}`),
  ].join('\n');
}
