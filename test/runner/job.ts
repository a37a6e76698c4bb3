// Runs the process of one job and tells what came of each of its files. A process that hangs is ended, with everything it
// has started, and its file is named; the files behind it get a process of their own.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readMarker, readSummary, type Figures } from './markers.js';
import type { Job } from './plan.js';
import { TESTS } from './tests.js';

const SECOND_MS = 1_000;

export interface Limits {
  /** For each file. tap ends its tests by itself at this limit, and says which were under way. */
  readonly fileMs: number;
  /** After that: a process that computes forever does not even hear of it. */
  readonly graceMs: number;
  /** Between the signal at which tap says what was under way and the one that nobody survives. */
  readonly lastWordsMs: number;
}

/** The longest file takes a quarter of it on a free machine. */
const LIMITS: Limits = { fileMs: 480 * SECOND_MS, graceMs: 20 * SECOND_MS, lastWordsMs: 5 * SECOND_MS };

const GROUP = fileURLToPath(new URL('group.js', import.meta.url));
/** What passed is not worth a line. */
const PASSED = /^ *(ok |1\.\.|# Subtest)|^TAP version|^# (time=|swarmd-test judged|\{ total)|^\s*$/;
const MAX_LINES = 5_000;

export interface FileResult extends Figures {
  readonly file: string;
  readonly isOk: boolean;
  /** Of a file that has not ended by itself. */
  readonly reason: string | null;
  /** What is worth reading: failures, comments, and what it wrote to the error output. */
  readonly lines: readonly string[];
}

/** The processes that run; each leads a group, to which everything belongs that it starts. */
const running = new Set<ChildProcess>();

/** For a run that is broken off. */
export function endAllJobs(): void {
  for (const child of running) endGroup(child, 'SIGKILL');
}

export async function runJob(job: Job, onFile: (result: FileResult) => void, limits = LIMITS): Promise<void> {
  let files = job.files;
  while (files.length > 0) {
    const ended = await runProcess(files, limits);
    for (const result of ended) onFile(result);
    files = files.slice(ended.length);
  }
}

/** @returns the results of the first files, of one at least */
function runProcess(files: readonly string[], limits: Limits): Promise<FileResult[]> {
  const isGroup = files.length > 1;
  const program = isGroup ? [GROUP, ...files] : [join(TESTS, files[0]!)];
  const child = spawn(process.execPath, ['--enable-source-maps', ...program], {
    env: { ...process.env, TAP_TIMEOUT: String(limits.fileMs / SECOND_MS) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);

  const results: FileResult[] = [];
  let startedMs = performance.now();
  let lines: string[] = [];
  let figures: Omit<Figures, 'ms'> | null = null;
  let hasHung = false;
  let limit = watch();

  function watch(): NodeJS.Timeout {
    return setTimeout(() => {
      hasHung = true;
      endGroup(child, 'SIGALRM', child.pid);
      limit = setTimeout(() => endGroup(child, 'SIGKILL'), limits.lastWordsMs);
    }, limits.fileMs + limits.graceMs);
  }
  function note(line: string): void {
    if (!PASSED.test(line) && lines.length < MAX_LINES) lines.push(line);
  }
  function onLine(line: string): void {
    const marker = isGroup ? readMarker(line) : null;
    if (marker?.kind === 'end') {
      const { trouble, ...counts } = marker.figures;
      const reason = trouble ?? (counts.assertions > 0 ? null : 'asserts nothing');
      results.push({ ...counts, file: marker.file, isOk: counts.failed === 0 && reason === null, reason, lines });
    }
    if (marker) {
      lines = [];
      startedMs = performance.now();
      clearTimeout(limit);
      limit = watch();
      return;
    }
    figures = readSummary(line) ?? figures;
    note(line);
  }
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', note);
  // What the tests have left running would hold the pipes open.
  child.once('exit', () => endGroup(child, 'SIGKILL'));

  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      running.delete(child);
      const how = hasHung ? `has not ended within ${limits.fileMs / SECOND_MS} s` : ending(code, signal);
      const ms = Math.round(performance.now() - startedMs);
      if (!isGroup) {
        const counts = figures ?? { passed: 0, failed: 0, skipped: 0, assertions: 0 };
        const hasPassed = code === 0 && counts.failed === 0 && counts.assertions > 0;
        const reason = hasPassed || counts.failed > 0 ? (hasHung ? how : null) : (how ?? 'asserts nothing');
        return resolve([{ ...counts, ms, file: files[0]!, isOk: hasPassed && !hasHung, reason, lines }]);
      }
      const current = files[results.length];
      const failed = results.some(({ isOk }) => !isOk);
      if (current !== undefined) {
        const reason = how ?? 'its process ended before it had';
        results.push({ ...NOTHING_PASSED, ms, file: current, isOk: false, reason, lines });
      } else if (how !== null && !failed) {
        // Everything passed, and then it did not end: the last file is as near as one can tell.
        const last = results.pop()!;
        results.push({ ...last, isOk: false, reason: `the process of ${files[0]} to ${last.file} ${how}`, lines });
      }
      resolve(results);
    });
  });
}

const NOTHING_PASSED = { passed: 0, failed: 0, skipped: 0, assertions: 0 };

/** null when that is the end of a process whose tests passed. */
function ending(code: number | null, signal: NodeJS.Signals | null): string | null {
  if (signal !== null) return `was ended by ${signal}`;
  return code === 0 ? null : `ended with code ${code}`;
}

/** To the group of the process, or to itself. Gone already is as good. */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals, target = pid === undefined ? undefined : -pid): void {
  if (target === undefined) return;
  try {
    process.kill(target, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
