// Renames without a pause, each life of the daemon ended by SIGKILL at a random moment. After each kill every file must lie
// whole where the torrent's row says; after each start that has put things in order it must lie nowhere else, and what others
// have in the torrent's folders must be as it was. It reads the store by itself: the daemon's word is not taken.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTorrentStore } from '../../storage/lmdb-torrent-store.js';
import type { PathsRow, TorrentRow } from '../../storage/types.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { askRename, moveEnded, TIMEOUT_MS } from '../support/moves.js';
import { makeScratch } from '../support/peers/scratch.js';
import { SeededRandom } from '../support/seeded-random.js';
import { storeOf } from '../support/own-engine.js';

const PIECE_LENGTH = 16_384;
const FILES = ['film', 'extras/sound', 'extras/deep/text', 'empty'];
const FILE_BYTES = [300_001, 40_000, 17, 0];
/** Where renames lead: between them, and back. */
const TOPS = ['show', 'Other show', 'third'];
const FOLDERS = ['extras', 'bonus', 'Extras 2'];
const LONGEST_LIFE_MS = 300;
const LIVES_PER_LOOK = 3;
const STRANGERS = 'strangers.txt';

export interface RenameKillsReport {
  readonly rounds: number;
  readonly renames: number;
  /** Kills by what the row said of its rename then. */
  readonly killedDuring: Readonly<Record<string, number>>;
  readonly lost: readonly string[];
  readonly double: readonly string[];
  readonly strangersHarmed: readonly string[];
}

export async function runRenameKills({
  rounds,
  seed,
}: {
  readonly rounds: number;
  readonly seed: number;
}): Promise<RenameKillsReport> {
  const random = new SeededRandom(seed);
  const scratch = await makeScratch('rename-kills');
  const home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'files') };
  const made = makePayload();
  const killedDuring: Record<string, number> = {};
  const [lost, double, strangersHarmed]: [string[], string[], string[]] = [[], [], []];
  const note = (list: string[], round: number, lines: readonly string[]): void => {
    list.push(...lines.map((line) => `round ${round}: ${line}`));
  };
  let renames = 0;
  try {
    await layOut(home.savePath);
    let [where, target] = [placesIn(null), placesIn(null)];
    for (let round = 0; round <= rounds; round++) {
      const daemon = await startDaemon(home);
      if (round === 0) await daemon.addTorrentFile(made.torrentBytes);
      if (round % LIVES_PER_LOOK === 0 || round === rounds) {
        await moveEnded(daemon, made.infoHash);
        const { completed } = await daemon.waitFor(made.infoHash, ({ verifying }) => !verifying, TIMEOUT_MS);
        if (!completed) note(lost, round, ['not complete']);
        // What was under way has been done, or was undone.
        if ((await missing(home.savePath, where)).length > 0) where = target;
        note(lost, round, await missing(home.savePath, where));
        note(double, round, await elsewhere(home.savePath, where));
      }
      const life = { isOver: false };
      const renaming = renameOn(daemon, made.infoHash, where, random, life);
      await sleep(random.below(LONGEST_LIFE_MS));
      life.isOver = true;
      await daemon.kill();
      renames += await renaming;
      const row = await rowOf(home.dataDir, made);
      const phase = row.move?.phase ?? 'none';
      killedDuring[phase] = (killedDuring[phase] ?? 0) + 1;
      where = placesIn(row, await listOf(home.dataDir, row));
      const { paths } = row.move ?? {};
      target = paths ? placesIn(paths, await listOf(home.dataDir, { ...paths, id: row.id })) : where;
      note(lost, round, await missing(home.savePath, where));
      note(strangersHarmed, round, await harmed(home.savePath));
    }
    return { rounds, renames, killedDuring, lost, double, strangersHarmed };
  } finally {
    await scratch.remove();
  }
}

function makePayload(): MadeTorrent {
  const files = FILES.map((path, n) => ({ path: path.split('/'), bytes: contentOf(n) }));
  return makeTorrent({ name: TOPS[0]!, pieceLength: PIECE_LENGTH, files });
}

const contentOf = (file: number): Uint8Array => seededBytes(file + 1, FILE_BYTES[file]!);
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function layOut(savePath: string): Promise<void> {
  for (const [n, path] of FILES.entries()) {
    const target = join(savePath, TOPS[0]!, path);
    await mkdir(join(target, '..'), { recursive: true });
    await writeFile(target, contentOf(n));
  }
  for (const top of TOPS) {
    await mkdir(join(savePath, top), { recursive: true });
    await writeFile(join(savePath, top, STRANGERS), top);
  }
}

/** One rename after another until the daemon is gone; how many were answered. */
async function renameOn(
  daemon: DaemonUnderTest,
  id: string,
  from: readonly string[],
  random: SeededRandom,
  life: { readonly isOver: boolean },
): Promise<number> {
  const where = [...from];
  let done = 0;
  while (!life.isOver) {
    const [old, next] = someRename(where, random);
    const answer = await askRename(daemon, id, old, next).catch(() => null);
    if (!answer) break;
    if (answer.status !== 200) continue;
    done++;
    for (const [n, path] of where.entries()) {
      if (path === old || path.startsWith(`${old}/`)) where[n] = next + path.slice(old.length);
    }
  }
  return done;
}

function someRename(where: readonly string[], random: SeededRandom): readonly [string, string] {
  const path = where[random.below(where.length)]!;
  const [top = '', ...below] = path.split('/');
  const kind = random.below(3);
  if (kind === 0) return [top, TOPS[random.below(TOPS.length)]!];
  if (kind === 1 && below.length > 1) return [`${top}/${below[0]}`, `${top}/${FOLDERS[random.below(FOLDERS.length)]}`];
  return [path, `${path.replace(/ \d+$/, '')} ${random.below(100)}`];
}

async function rowOf(dataDir: string, { infoHash }: MadeTorrent): Promise<TorrentRow> {
  const store = openTorrentStore(storeOf(dataDir));
  try {
    return store.row(infoHash)!;
  } finally {
    await store.close();
  }
}

async function listOf(
  dataDir: string,
  { id, pathList }: Pick<TorrentRow, 'id'> & PathsRow,
): Promise<ReadonlyMap<number, string>> {
  if (pathList === undefined) return new Map();
  const store = openTorrentStore(storeOf(dataDir));
  try {
    return new Map(JSON.parse(Buffer.from(store.pathList(id, pathList)!).toString()) as [number, string][]);
  } finally {
    await store.close();
  }
}

/** Where the files lie by what is stored. */
function placesIn(row: PathsRow | null, list: ReadonlyMap<number, string> = new Map()): string[] {
  return FILES.map((path, n) => list.get(n) ?? `${row?.folder ?? TOPS[0]}/${path}`);
}

async function missing(savePath: string, where: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const [n, path] of where.entries()) {
    const found = await readFile(join(savePath, path)).catch(() => null);
    if (!found || digest(found) !== digest(contentOf(n))) lines.push(`${FILES[n]} is not whole at ${path}`);
  }
  return lines;
}

/** Whatever lies below the save path besides the files where they should be, and those of others. */
async function elsewhere(savePath: string, where: readonly string[]): Promise<string[]> {
  const found = await readdir(savePath, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const expected = new Set([...where, ...TOPS.map((top) => `${top}/${STRANGERS}`)].map((path) => join(savePath, path)));
  return files.filter((path) => !expected.has(path)).map((path) => `${path} as well`);
}

async function harmed(savePath: string): Promise<string[]> {
  const lines: string[] = [];
  for (const top of TOPS) {
    const text = await readFile(join(savePath, top, STRANGERS), 'utf8').catch(() => null);
    if (text !== top) lines.push(`${top}/${STRANGERS} is ${text}`);
  }
  return lines;
}

/** Lines for people. */
export function renderRenameKills({
  killedDuring,
  lost,
  double,
  strangersHarmed,
  ...counts
}: RenameKillsReport): string {
  const phases = Object.entries(killedDuring).map(([phase, count]) => `${phase} ${count}`);
  return [
    `rounds ${counts.rounds}, renames ${counts.renames}, killed during ${phases.join(', ')}`,
    ...[...lost, ...double, ...strangersHarmed].map((line) => `  ${line}`),
  ].join('\n');
}
