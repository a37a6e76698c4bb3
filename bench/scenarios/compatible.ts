// The interfaces of qBittorrent and Transmission at many torrents, of Swarmd and of the programs themselves: each question
// of a tool to one program after another, round by round.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answers, QUESTIONS, type Question } from '../compatible/questions.js';
import { Tool } from '../compatible/tool.js';
import { LIBRARIES, LIBRARY_NAMES, SwarmdLibrary, type LibraryName, type RunningLibrary } from '../libraries/index.js';
import { cpuSeconds } from '../measure/process-metrics.js';
import { median, percentile } from '../measure/percentile.js';
import type { Figure } from '../report/results.js';
import { allComplete, startAndList } from '../scale/runs.js';
import { makeTorrentSet, type TorrentSet } from '../support/torrent-set.js';
import { createWorkspace } from '../support/workspace.js';
import type { Scenario } from './scenario.js';

const MOST_TORRENTS = 10_000;
const ADDS_AT_A_TIME = 16;
/** Milliseconds of asking after which a round has its answers: qBittorrent takes 2 s for one of 10,000 torrents. */
const ROUND_MS = 3_000;

interface Asked {
  readonly library: RunningLibrary;
  readonly tool: Tool;
}

/** Figures of one question and program, by round. */
interface Rounds {
  readonly wallMs: number[];
  readonly cpuMs: number[];
  bytes: number;
}

export const compatible: Scenario = {
  kind: 'micro',
  what: `what tools of qBittorrent and Transmission ask, beside both programs; up to ${MOST_TORRENTS} torrents`,
  isOnRequest: true,
  async measure({ torrents, runs }) {
    const count = Math.max(...(torrents ?? [MOST_TORRENTS]).filter((size) => size <= MOST_TORRENTS));
    if (!Number.isFinite(count)) throw new Error(`--torrents: expected one of ${MOST_TORRENTS} at most`);
    const workspace = createWorkspace(0);
    const set = await makeTorrentSet(workspace.folder('files'), count);
    const programs = new Map<LibraryName, Asked>();
    try {
      for (const name of LIBRARY_NAMES) {
        const asked = await open(name, join(workspace.folder('homes'), name), set);
        if (asked) programs.set(name, asked);
      }
      return await measureAll(programs, runs);
    } finally {
      for (const { tool, library } of programs.values()) {
        tool.close();
        await library.stop();
      }
    }
  },
};

/** Filled, and with nothing more to verify; null where it is not installed. */
async function open(name: LibraryName, home: string, set: TorrentSet): Promise<Asked | null> {
  const program = LIBRARIES[name];
  if ((await program.version()) === null) {
    console.error(`${name}: not installed, left out`);
    return null;
  }
  mkdirSync(home, { recursive: true });
  const { library } = await startAndList(program, home, set, 0);
  const tool = new Tool(name, library.url, library instanceof SwarmdLibrary ? library.keys[0] : undefined);
  const count = set.torrents.length;
  let next = 0;
  const adder = async () => {
    while (next < count) await library.add(next++);
  };
  await Promise.all(Array.from({ length: ADDS_AT_A_TIME }, adder));
  if (name === 'transmission') await tool.stopAll();
  else await allComplete(library, count);
  console.error(`compatible ${name}: ${count} torrents`);
  return { library, tool };
}

async function measureAll(programs: ReadonlyMap<LibraryName, Asked>, runs: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const question of QUESTIONS) {
    const rounds = new Map<LibraryName, Rounds>();
    const refused = new Set<LibraryName>();
    // The first round, in which lists are made and code is compiled, does not count.
    for (let round = 0; round <= runs; round++) {
      for (const [name, asked] of programs) {
        if (!answers(name, question) || refused.has(name)) continue;
        try {
          await ask(asked, question, round === 0 ? null : roundsOf(rounds, name));
        } catch (error) {
          refused.add(name);
          rounds.delete(name);
          console.error(`compatible ${name}: ${question.name} is not answered: ${String(error)}`);
        }
      }
    }
    figures.push(...figuresOf(question, rounds));
  }
  return figures;
}

async function ask({ tool, library }: Asked, question: Question, rounds: Rounds | null): Promise<void> {
  const wallMs: number[] = [];
  let bytes = 0;
  const cpuBefore = cpuSeconds(library.pid);
  const deadlineMs = performance.now() + ROUND_MS;
  while (wallMs.length < question.answers && performance.now() < deadlineMs) {
    const askedMs = performance.now();
    bytes = await question.ask(tool);
    wallMs.push(performance.now() - askedMs);
  }
  if (!rounds) return;
  rounds.wallMs.push(percentile(wallMs, 50));
  rounds.cpuMs.push((1_000 * (cpuSeconds(library.pid) - cpuBefore)) / wallMs.length);
  rounds.bytes = bytes;
}

function roundsOf(rounds: Map<LibraryName, Rounds>, name: LibraryName): Rounds {
  const known = rounds.get(name) ?? { wallMs: [], cpuMs: [], bytes: 0 };
  rounds.set(name, known);
  return known;
}

function figuresOf(question: Question, rounds: ReadonlyMap<LibraryName, Rounds>): Figure[] {
  const figures: Figure[] = [];
  for (const [name, { wallMs, cpuMs, bytes }] of rounds) {
    figures.push(
      { name: `${question.name}, ${name}: answer`, value: median(wallMs), unit: 'ms' },
      { name: `${question.name}, ${name}: processor time`, value: median(cpuMs), unit: 'ms' },
      { name: `${question.name}, ${name}: size`, value: bytes / 1_000, unit: 'KB' },
    );
  }
  const [ours, theirs] = [rounds.get('swarmd'), rounds.get(question.of)];
  if (ours && theirs) {
    const ratio = median(theirs.wallMs) / median(ours.wallMs);
    figures.push({ name: `${question.name}: ${question.of} over swarmd`, value: ratio, unit: '×' });
  }
  return figures;
}
