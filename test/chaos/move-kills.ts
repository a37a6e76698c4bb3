// Rounds of moves between folders of two volumes, each ended at a random moment, nearly all by SIGKILL. After each kill the place that a
// torrent's row names must have all of its bytes; after each start that has put things in order no other place may have any
// of them, and what others have there must be as it was. It reads the store by itself: the daemon's word is not taken.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTorrentStore } from '../../storage/lmdb-torrent-store.js';
import { startDaemon, type TorrentView } from '../support/daemon.js';
import { askMove, moveEnded } from '../support/moves.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { SeededRandom } from '../support/seeded-random.js';
import { checkClaims } from './claims.js';
import { storeOf } from '../support/own-engine.js';

const TORRENTS = 3;
/** Copied in a tenth of a second or more. */
const TORRENT_BYTES = 32 * MIB + 12_345;
const PIECE_LENGTH = 64 * KIB;
const FOLDERS_ON_EACH = 2;
const LONGEST_LIFE_MS = 350;
/** All have been asked for by then. */
const ASKING_MS = 100;
const SETTLED_MS = 60_000;
/** One life in so many goes on until all moves have ended: then it is looked for what is there twice. */
const LIVES_PER_LOOK = 4;
/** One life in so many ends in order, in the middle of whatever is moved. */
const LIVES_PER_ORDERLY_END = 6;
/** What others have in the torrents' folders. */
const STRANGERS = 'strangers.txt';

export interface MoveKillsReport {
  readonly rounds: number;
  /** Rows by what they said of their move when the daemon was dead. */
  readonly killedDuring: Readonly<Record<string, number>>;
  /** Whether the two volumes are two. */
  readonly isAcross: boolean;
  readonly lost: readonly string[];
  readonly double: readonly string[];
  readonly falseClaims: readonly string[];
  readonly strangersHarmed: readonly string[];
  readonly failed: readonly string[];
}

export async function runMoveKills(
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  onRound: (round: number) => void = () => undefined,
): Promise<MoveKillsReport> {
  const random = new SeededRandom(seed);
  const first = await makeScratch('move-kills', 4 * TORRENTS * TORRENT_BYTES);
  const second = await mkdtemp(join(tmpdir(), 'swarmd-move-kills-'));
  const isAcross = (await stat(first.path)).dev !== (await stat(second)).dev;
  const folders = [first.path, second].flatMap((path) =>
    Array.from({ length: FOLDERS_ON_EACH }, (_, n) => join(path, `folder-${n}`)),
  );
  const home = { dataDir: join(first.path, 'data'), savePath: folders[0]! };
  const payloads: Payload[] = [];
  for (let n = 1; n <= TORRENTS; n++) {
    payloads.push(await writePayload(home.savePath, TORRENT_BYTES, PIECE_LENGTH, n));
  }
  const killedDuring: Record<string, number> = {};
  const [lost, double, falseClaims, strangersHarmed, failed]: string[][] = [[], [], [], [], []];
  const note = (list: string[] | undefined, round: number, lines: readonly string[]): void => {
    list!.push(...lines.map((line) => `round ${round}: ${line}`));
  };
  try {
    for (const folder of folders) {
      for (const { name } of payloads) {
        await mkdir(join(folder, name), { recursive: true });
        await writeFile(join(folder, name, STRANGERS), folder);
      }
    }
    for (let round = 0; round <= rounds; round++) {
      const daemon = await startDaemon(home);
      if (round === 0) {
        for (const payload of payloads) {
          const id = await daemon.addTorrentFile(payload.torrent());
          await daemon.waitFor(id, ({ completed }) => completed, 60_000);
        }
      }
      if (round % LIVES_PER_LOOK === 0 || round === rounds) {
        for (const { infoHash, name } of payloads) {
          const { state, error } = await moveEnded(daemon, infoHash);
          if (state === 'failed') note(failed, round, [`${name}: ${error}`]);
          // What was not recorded before the end is hashed first.
          const { save_path: place, completed } = await daemon.waitFor(
            infoHash,
            ({ verifying }) => !verifying,
            SETTLED_MS,
          );
          if (!completed) note(lost, round, [`${name}: not complete at ${place}`]);
        }
        note(double, round, await twiceThere(await daemon.torrents(), payloads, folders));
      }
      const asked = payloads.map(async ({ infoHash }) => {
        await sleep(random.below(ASKING_MS));
        // Refused while the last one is still on its way.
        await askMove(daemon, infoHash, { path: folders[random.below(folders.length)]! }).catch(() => undefined);
      });
      await sleep(random.below(LONGEST_LIFE_MS));
      await (round % LIVES_PER_ORDERLY_END === 1 ? daemon.stop() : daemon.kill());
      await Promise.all(asked);
      for (const { payload, savePath, phase } of await placesOf(home.dataDir, payloads)) {
        killedDuring[phase] = (killedDuring[phase] ?? 0) + 1;
        note(lost, round, await differing(payload, savePath));
      }
      note(falseClaims, round, (await checkClaims(home.dataDir)).wrong);
      note(strangersHarmed, round, await harmed(folders, payloads));
      onRound(round);
    }
    return {
      rounds,
      killedDuring,
      isAcross,
      lost: lost!,
      double: double!,
      falseClaims: falseClaims!,
      strangersHarmed: strangersHarmed!,
      failed: failed!,
    };
  } finally {
    await first.remove();
    await rm(second, { recursive: true, force: true });
  }
}

interface Placed {
  readonly payload: Payload;
  readonly savePath: string;
  /** Of its move. */
  readonly phase: string;
}

/** As the store has it; the daemon must have ended. */
async function placesOf(dataDir: string, payloads: readonly Payload[]): Promise<Placed[]> {
  const store = openTorrentStore(storeOf(dataDir));
  try {
    return payloads.map((payload) => {
      const row = store.row(payload.infoHash);
      if (!row) throw new Error(`${payload.name} is not in the store`);
      return { payload, savePath: row.savePath, phase: row.move?.phase ?? 'none' };
    });
  } finally {
    await store.close();
  }
}

/** What is not there as it should be, one line each. */
async function differing(payload: Payload, savePath: string): Promise<string[]> {
  const found = await digestsOf(payload, savePath);
  const wrong = Object.keys(payload.digests).filter((path) => found[path] !== payload.digests[path]);
  return wrong.map(
    (path) => `${payload.name}: ${path} is ${found[path] === undefined ? 'gone' : 'another'} at ${savePath}`,
  );
}

/** Files of torrents where these do not lie. */
async function twiceThere(
  torrents: readonly TorrentView[],
  payloads: readonly Payload[],
  folders: readonly string[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const { infoHash, name } of payloads) {
    const place = torrents.find(({ id }) => id === infoHash)?.save_path;
    for (const folder of folders.filter((other) => other !== place)) {
      const there = await readdir(join(folder, name), { recursive: true });
      lines.push(...there.filter((path) => path !== STRANGERS).map((path) => `${name}: ${path} at ${folder} as well`));
    }
  }
  return lines;
}

async function harmed(folders: readonly string[], payloads: readonly Payload[]): Promise<string[]> {
  const lines: string[] = [];
  for (const folder of folders) {
    for (const { name } of payloads) {
      const text = await readFile(join(folder, name, STRANGERS), 'utf8').catch(() => null);
      if (text !== folder) lines.push(`${join(folder, name, STRANGERS)} is ${text}`);
    }
  }
  return lines;
}

/** The table that is printed. */
export function renderMoveKills(report: MoveKillsReport): string {
  const { rounds, killedDuring, isAcross, lost, double, falseClaims, strangersHarmed, failed } = report;
  const lines: (readonly [string, string])[] = [
    ['rounds', String(rounds)],
    ['volumes', isAcross ? 'two' : 'one'],
    [
      'killed during',
      Object.entries(killedDuring)
        .map(([phase, count]) => `${phase} ${count}`)
        .join(', '),
    ],
    ['lost', String(lost.length)],
    ['double', String(double.length)],
    ['false claims', String(falseClaims.length)],
    ['files of others harmed', String(strangersHarmed.length)],
    ['moves failed', String(failed.length)],
  ];
  const failures = [...lost, ...double, ...falseClaims, ...strangersHarmed, ...failed];
  return [...lines.map(([name, value]) => `${name.padEnd(32)}${value}`), ...failures.map((line) => `  ${line}`)].join(
    '\n',
  );
}
