// Rounds of chaos: a daemon is started on the same state again and again, given work, and killed with SIGKILL at a
// random moment. After each kill its records are held against the disk, after each start what it shows against what it
// had promised; at the end every torrent must complete with the right bytes.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { SeededRandom } from '../support/seeded-random.js';
import { makeReferences } from './attributes.js';
import { checkClaims } from './claims.js';
import { Model } from './model.js';
import { OPERATION_NAMES, Run } from './operations.js';

const TORRENTS = 6;
const TORRENT_BYTES = 4 * MIB + 12_345;
const PIECE_LENGTH = 32 * KIB;
const LONGEST_LIFE_MS = 900;
/** One life in so many ends with SIGTERM first: progress is recorded then, and the kill comes meanwhile. */
const LIVES_PER_SHUTDOWN = 3;
const LONGEST_SHUTDOWN_MS = 400;
/** One life in so many goes on until something has been verified, and ends in order: so there is something to check. */
const LIVES_PER_ORDERLY_END = 5;
const PROGRESS_MS = 10_000;
const COMPLETION_MS = 60_000;
/** Between two looks at whether its seed is still there. */
const PATIENCE_MS = 5_000;

export interface ChaosReport {
  readonly rounds: number;
  /** How often each operation was under way at a kill. */
  readonly killedDuring: Readonly<Record<string, number>>;
  readonly torrentsLost: readonly string[];
  readonly settingsLost: readonly string[];
  readonly piecesChecked: number;
  readonly wrongPieces: readonly string[];
  /** Torrents that did not complete, or not with the right bytes. */
  readonly incomplete: readonly string[];
}

export async function runChaos(
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  onRound: (round: number) => void = () => undefined,
): Promise<ChaosReport> {
  const random = new SeededRandom(seed);
  const scratch = await makeScratch('chaos', 4 * TORRENTS * TORRENT_BYTES);
  const home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  const payloads: Payload[] = [];
  for (let i = 1; i <= TORRENTS; i++) {
    payloads.push(await writePayload(join(scratch.path, 'source'), TORRENT_BYTES, PIECE_LENGTH, i));
  }
  const model = new Model(payloads);
  const killedDuring: Record<string, number> = Object.fromEntries(
    [...OPERATION_NAMES, 'shutdown'].map((name) => [name, 0]),
  );
  const [torrentsLost, settingsLost, wrongPieces]: string[][] = [[], [], []];
  let piecesChecked = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const daemon = await startDaemon(home);
      if (round === 1) await makeReferences(daemon);
      const { torrents, settings } = await model.compare(daemon);
      torrentsLost!.push(...torrents.map((line) => `round ${round}: ${line}`));
      settingsLost!.push(...settings.map((line) => `round ${round}: ${line}`));
      const run = new Run(daemon, model, random);
      await run.seedAll();
      const operating = [run.operate(), run.operate()];
      await sleep(random.below(LONGEST_LIFE_MS));
      const ended = await Promise.race([daemon.exited, null]);
      if (ended) throw new Error(`the daemon ended by itself (${ended.code}): ${daemon.stderr.slice(-2_000)}`);
      const isOrderly = round % LIVES_PER_ORDERLY_END === 0;
      if (isOrderly) await someProgress(daemon);
      const isShutDown = random.below(LIVES_PER_SHUTDOWN) === 0;
      if (isOrderly) {
        await daemon.stop();
      } else if (isShutDown) {
        process.kill(daemon.pid, 'SIGTERM');
        await sleep(random.below(LONGEST_SHUTDOWN_MS));
        killedDuring['shutdown'] = (killedDuring['shutdown'] ?? 0) + 1;
      }
      for (const name of run.inFlight) killedDuring[name] = (killedDuring[name] ?? 0) + 1;
      await daemon.kill();
      run.end();
      await Promise.all(operating);
      const { claimed, wrong, priorities } = await checkClaims(home.dataDir);
      piecesChecked += claimed;
      torrentsLost!.push(...model.compareRecords(priorities).map((line) => `round ${round}: ${line}`));
      wrongPieces!.push(...wrong.map((line) => `round ${round}: ${line}`));
      onRound(round);
    }
    const incomplete = await completeAll(home, model, random);
    return {
      rounds,
      killedDuring,
      torrentsLost: torrentsLost!,
      settingsLost: settingsLost!,
      piecesChecked,
      wrongPieces: wrongPieces!,
      incomplete,
    };
  } finally {
    await scratch.remove();
  }
}

/** Until a torrent has verified bytes; not for ever: there may be none at the moment. */
async function someProgress(daemon: DaemonUnderTest): Promise<void> {
  const giveUpAt = Date.now() + PROGRESS_MS;
  while (Date.now() < giveUpAt) {
    if ((await daemon.torrents()).some(({ bytes_done }) => bytes_done > 0)) return;
    await sleep(50);
  }
}

/** Everything is added that is not there, resumed and seeded; who is left then. */
async function completeAll(
  home: { readonly dataDir: string; readonly savePath: string },
  model: Model,
  random: SeededRandom,
): Promise<string[]> {
  const daemon = await startDaemon(home);
  const run = new Run(daemon, model, random);
  const incomplete: string[] = [];
  try {
    for (const { payload } of model.torrents) {
      const id = await daemon.addTorrentFile(payload.torrent());
      await daemon.api('POST', `/api/torrents/${id}/resume`);
      const priorities = { 0: 'normal', 1: 'normal', 2: 'normal' };
      await daemon.api('POST', '/api/torrents/file_priorities', { infohash: id, priorities });
      await daemon.api('POST', '/api/torrents/force_start', { infohash: id, force: true });
    }
    for (const { payload } of model.torrents) {
      try {
        await complete(daemon, run, payload);
        const found = await digestsOf(payload, home.savePath);
        const differs = Object.keys(payload.digests).some((path) => found[path] !== payload.digests[path]);
        if (differs) incomplete.push(`${payload.name}: other bytes`);
      } catch (error) {
        incomplete.push(`${payload.name}: ${error instanceof Error ? error.message.slice(0, 1_500) : String(error)}`);
      }
    }
  } finally {
    run.end();
    await daemon.stop();
  }
  return incomplete;
}

/** A torrent that is checked closes its connections, and a seed that is told to go has to come again. */
async function complete(daemon: DaemonUnderTest, run: Run, payload: Payload): Promise<void> {
  const giveUpAt = Date.now() + COMPLETION_MS;
  let seed = await run.seed({ payload });
  for (;;) {
    try {
      await daemon.waitFor(payload.infoHash, ({ completed, verifying }) => completed && !verifying, PATIENCE_MS);
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      if (seed.isClosed) seed = await run.seed({ payload });
    }
  }
}

/** The table that is printed. */
export function renderChaos(report: ChaosReport): string {
  const during = Object.entries(report.killedDuring).sort(([, a], [, b]) => b - a);
  const lines: (readonly [string, string])[] = [
    ['rounds', String(report.rounds)],
    ['killed during', during.map(([name, count]) => `${name} ${count}`).join(', ')],
    ['torrents lost or changed', String(report.torrentsLost.length)],
    ['acknowledged settings lost', String(report.settingsLost.length)],
    ['recorded pieces checked', String(report.piecesChecked)],
    ['of them wrong on disk', String(report.wrongPieces.length)],
    ['torrents that did not complete', String(report.incomplete.length)],
  ];
  const failures = [...report.torrentsLost, ...report.settingsLost, ...report.wrongPieces, ...report.incomplete];
  return [...lines.map(([name, value]) => `${name.padEnd(32)}${value}`), ...failures.map((line) => `  ${line}`)].join(
    '\n',
  );
}
