// A role of a fleet: one program of it, which is started, ended and started again under one name. Owns: what the program says is
// in a file of the role's, and the last lines of that are at hand when it has ended without being asked to.
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, type Child, type ExitStatus } from './child-process.js';

const LAST_LINES = 20;
const LOOK_MS = 20;

export interface RoleOptions {
  readonly name: string;
  /** The file that every line goes to, of all lives. */
  readonly logFile: string;
  /** The line that the program says once it is ready. */
  readonly ready: RegExp;
  /** The signal by which it ends in order. @default SIGTERM */
  readonly stopSignal?: NodeJS.Signals;
  /** A process group for the program alone, which Ctrl-C at the terminal does not reach. @default that of this process */
  readonly ownGroup?: boolean;
  /** A program, with arguments, by which it is started, and which leaves its place to it. */
  readonly before?: readonly string[];
  /** Variables that are added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program has ended after it was ready, and nobody has asked it to. */
  readonly onDied?: (role: Role, status: string) => void;
  readonly onLine?: (role: Role, line: string) => void;
}

export class Role {
  readonly name: string;
  protected child: Child | null = null;
  #lines: string[] = [];
  #isAsked = false;
  #spawning: Promise<void> = Promise.resolve();

  /** `command`: the program and its arguments, asked for at each start. */
  constructor(
    private readonly options: RoleOptions,
    private readonly command: () => readonly string[],
  ) {
    this.name = options.name;
  }

  /** null: it does not run. */
  get pid(): number | null {
    return this.child?.isRunning ? this.child.pid : null;
  }

  get lastLines(): readonly string[] {
    return this.#lines;
  }

  /** The line that says that it is ready. Rejects with the last lines when it ends before. */
  start(): Promise<RegExpExecArray> {
    this.#lines = [];
    this.#isAsked = false;
    const { ready, ownGroup = false, before = [], env = {}, onDied } = this.options;
    return new Promise((resolve, reject) => {
      let isReady = false;
      const onLine = (line: string): void => {
        this.#keep(line);
        const match = isReady ? null : ready.exec(line);
        if (!match) return;
        isReady = true;
        resolve(match);
      };
      const onExit = ({ code, signal }: ExitStatus): void => {
        const status = signal ?? `exit code ${code}`;
        if (!isReady) reject(new Error(`${this.name} has not started (${status}):\n${this.#lines.join('\n')}`));
        else if (!this.#isAsked) onDied?.(this, status);
      };
      // Both outputs in one, in the order in which things were said.
      const options = { onLine, ownGroup, env };
      this.#spawning = startChild('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...before, ...this.command()], options).then(
        (child) => {
          this.child = child;
          void child.exited.then(onExit);
        },
        reject,
      );
    });
  }

  /** In order, unless another signal says how. Also when it has ended already, or is about to start. */
  async stop(signal: NodeJS.Signals = this.options.stopSignal ?? 'SIGTERM'): Promise<void> {
    this.#isAsked = true;
    await this.#spawning;
    await this.child?.stop(signal);
  }

  /** Ends all of its processes at one moment by SIGKILL, as a power cut would. */
  async kill(): Promise<void> {
    this.#isAsked = true;
    await this.#spawning;
    const { child } = this;
    if (!child?.isRunning) return;
    // It starts no others while it stands still.
    child.signal('SIGSTOP');
    const others = this.others();
    for (const pid of others) process.kill(pid, 'SIGKILL');
    child.signal('SIGKILL');
    await child.exited;
    // The next one may refuse to start while any of them has the memory that they shared.
    while (others.some(hasMemory)) await sleep(LOOK_MS);
  }

  /** All of its processes stand still until they are resumed: they are there, and answer nothing. */
  suspend(): void {
    this.child?.signal('SIGSTOP');
    for (const pid of this.others()) process.kill(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.others()) process.kill(pid, 'SIGCONT');
    this.child?.signal('SIGCONT');
  }

  /** Process ids of what the program has started. */
  protected others(): readonly number[] {
    return [];
  }

  #keep(line: string): void {
    appendFileSync(this.options.logFile, `${line}\n`);
    this.#lines = [...this.#lines, line].slice(-LAST_LINES);
    this.options.onLine?.(this, line);
  }
}

/** Whether a process is there, and is not merely waiting for its parent to look at how it ended. */
function hasMemory(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
