// A process of the bench that reports by lines on standard output: JSON from our own ones, text from others. Its
// standard error is kept for the message of a failure.
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endOnExit } from './clean-up.js';

const KEPT_STDERR_CHARACTERS = 4_000;
const STOP_TIMEOUT_MS = 10_000;

export interface ChildOptions {
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export class Child {
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  #stderr = '';
  #exit: string | null = null;

  constructor(
    readonly command: string,
    args: readonly string[],
    options: ChildOptions = {},
  ) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...options.env } });
    endOnExit(this.#process);
    this.pid = this.#process.pid ?? 0;
    createInterface({ input: this.#process.stdout! }).on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.#process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR_CHARACTERS);
    });
    // A child that has gone is reported by its exit.
    this.#process.stdin!.on('error', () => undefined);
    this.#process.on('error', (error) => this.#end(error.message));
    this.#process.on('close', (code, signal) => this.#end(`exit ${code ?? signal ?? ''}`));
  }

  send(command: Readonly<Record<string, unknown>>): void {
    this.#process.stdin!.write(`${JSON.stringify(command)}\n`);
  }

  /** One line that is no JSON. */
  order(line: string): void {
    this.#process.stdin!.write(`${line}\n`);
  }

  /** The first line for which `match` answers, now or later; each line is looked at once. */
  async line<Match>(match: (line: string) => Match | null, what: string, timeoutMs: number): Promise<Match> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
        const found = match(line);
        if (found !== null) return found;
      }
      this.check();
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw new Error(`${this.command}: no ${what} within ${timeoutMs} ms\n${this.#stderr}`);
      await this.#change(leftMs);
    }
  }

  /** A report `{"event": name, "t": monotonic milliseconds, …}` of one of our own processes. */
  event(name: string, timeoutMs: number): Promise<Readonly<Record<string, unknown>>> {
    return this.line(
      (line) => {
        const report: unknown = JSON.parse(line);
        if (!isRecord(report)) return null;
        if (report['event'] === 'error') throw new Error(`${this.command}: ${String(report['message'])}`);
        return report['event'] === name ? report : null;
      },
      name,
      timeoutMs,
    );
  }

  /** @throws Error when the process has ended */
  check(): void {
    if (this.#exit !== null) throw new Error(`${this.command}: ${this.#exit}\n${this.#stderr}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** What it wrote last to standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Ends it without a warning, as a crash does. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    while (this.#exit === null) await this.#change(STOP_TIMEOUT_MS);
  }

  /** Asks it to end, and makes it after ten seconds. */
  async stop(): Promise<void> {
    if (this.#exit !== null) return;
    this.#process.kill('SIGTERM');
    const deadline = performance.now() + STOP_TIMEOUT_MS;
    while (this.#exit === null && performance.now() < deadline) await this.#change(deadline - performance.now());
    if (this.#exit === null) this.#process.kill('SIGKILL');
    while (this.#exit === null) await this.#change(STOP_TIMEOUT_MS);
  }

  #end(reason: string): void {
    this.#exit ??= reason;
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #change(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#waiting.add(wake);
    });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
