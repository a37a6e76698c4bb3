// The program that the owner of the machine has named by a flag. Owns: it gets what it is told as arguments and variables
// of its own, never through a shell, and nothing of this process's environment that could hold a secret; a few run at a
// time, each for a limited time.
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { access, constants, stat } from 'node:fs/promises';
import type { HookEvent } from '../../../shared-protocol/hook-events.js';
import { AppError, messageOf } from '../../../shared-protocol/errors.js';
import { trackerHostOf } from '../../../shared-protocol/tracker-host.js';
import type { Log } from '../../logging.js';
import { contentPath, shownName, type KnownLabels } from '../library/torrent-dto.js';
import { labelNames } from './label-names.js';
import type { TorrentEvent } from './torrent-events.js';

const MAX_RUNNING = 4;
/** Many torrents may be added at once; each waits as some hundred bytes. */
const MAX_WAITING = 20_000;
/** Long enough to unpack or copy a torrent. */
const TIME_LIMIT_MS = 60 * 60 * 1_000;
/** Kept of what it says, for the log. */
const MAX_SAID_CHARS = 500;
/** Variables that a program needs to find its way. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'] as const;

export interface HookProgramOptions {
  /** Absolute. */
  readonly file: string;
  /** Each is one argument, in which `{event}`, `{infohash}`, … are filled in. */
  readonly args: readonly string[];
  readonly events: readonly HookEvent[];
}

export interface HookProgramDeps {
  readonly labels: KnownLabels;
  readonly log: Log;
}

type Facts = Readonly<Record<string, string>>;

export class HookProgram {
  readonly #waiting: Facts[] = [];
  readonly #running = new Set<{ kill(): void; readonly ended: Promise<void> }>();
  #isStopped = false;

  constructor(
    private readonly options: HookProgramOptions,
    private readonly deps: HookProgramDeps,
  ) {}

  run(happened: TorrentEvent): void {
    if (this.#isStopped || !this.options.events.includes(happened.event)) return;
    const facts = factsOf(happened, this.deps.labels);
    if (this.#waiting.length >= MAX_WAITING) {
      return this.deps.log.warn('hook program not run: too many wait', { infohash: happened.torrent.id });
    }
    this.#waiting.push(facts);
    this.#next();
  }

  /** Runs again after a stop. */
  start(): void {
    this.#isStopped = false;
  }

  /** Ends what runs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.length = 0;
    for (const run of this.#running) run.kill();
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  #next(): void {
    while (this.#running.size < MAX_RUNNING) {
      const facts = this.#waiting.shift();
      if (!facts) return;
      this.#begin(facts);
    }
  }

  #begin(facts: Facts): void {
    const { file, args } = this.options;
    const child = spawn(
      file,
      args.map((text) => filledIn(text, facts)),
      {
        cwd: '/',
        env: environmentFor(facts),
        // What it starts is ended with it.
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let said = '';
    // Without descriptors for one there is no process, and nothing to read from.
    const stderr: Readable | undefined = child.stderr;
    stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MAX_SAID_CHARS)));
    const kill = (): void => killGroup(child.pid);
    const timer = setTimeout(kill, TIME_LIMIT_MS);
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        this.#complain(facts, error.message);
        resolve();
      });
      child.once('exit', (code, signal) => {
        if (code !== 0 && !this.#isStopped) this.#complain(facts, `ended with ${signal ?? code}`, said);
        resolve();
      });
    });
    const run = { kill, ended };
    this.#running.add(run);
    void ended.then(() => {
      clearTimeout(timer);
      this.#running.delete(run);
      this.#next();
    });
  }

  #complain({ event = '', infohash = '' }: Facts, reason: string, said = ''): void {
    this.deps.log.warn('hook program failed', { event, infohash, reason, said: said.trim() });
  }
}

/** @throws AppError `HOOK_PROGRAM_UNUSABLE`: a start is refused with it, rather than each event failing later */
export async function assertRuns(file: string): Promise<void> {
  try {
    await access(file, constants.X_OK);
    if ((await stat(file)).isFile()) return;
  } catch (cause) {
    const reason = messageOf(cause);
    throw new AppError('HOOK_PROGRAM_UNUSABLE', `--hook-program: ${reason}`, undefined, { cause });
  }
  throw new AppError('HOOK_PROGRAM_UNUSABLE', `--hook-program: ${file} is no file`);
}

/** By the names that stand in braces in arguments, and in capitals behind `TORRENT_` in the environment. */
function factsOf({ event, torrent }: TorrentEvent, labels: KnownLabels): Facts {
  const { category, tags } = labelNames(torrent.library, labels);
  return {
    event,
    infohash: torrent.id,
    name: shownName(torrent),
    path: contentPath(torrent),
    save_path: torrent.savePath,
    category: category ?? '',
    tags: tags.join(','),
    size: String(torrent.totalBytes),
    // Without the passkey that a URL may hold: arguments are shown to all users of the machine.
    tracker: trackerHostOf(torrent.trackers.split('\n', 1)[0] ?? ''),
    error: torrent.error?.message ?? '',
  };
}

/** All at once, so that a name with braces in it stays as it is. */
function filledIn(text: string, facts: Facts): string {
  return withoutNul(text.replace(/\{(\w+)\}/g, (written, name: string) => facts[name] ?? written));
}

function environmentFor(facts: Facts): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const told = Object.entries(facts).map(([name, value]) => [`TORRENT_${name.toUpperCase()}`, withoutNul(value)]);
  return Object.fromEntries([...passed, ...told]) as Record<string, string>;
}

/** The system takes no NUL, and refusing to run because of a name would be worse. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
