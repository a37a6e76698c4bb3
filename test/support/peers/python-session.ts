// A Python program of the tests that is driven by JSON lines: `{"id", "op", …}` in, `{"id", "ok"}` or `{"id", "error"}` out.
import { startChild, type Child } from './child-process.js';
import { scriptPath } from './script-path.js';

/** Debian's: bindings are built for it, not for a Python that happens to come first in PATH. */
export const PYTHON = '/usr/bin/python3';
/** Longer than `stop_tracker_timeout` of libtorrent. */
const QUIT_TIMEOUT_MS = 8_000;

interface Answer {
  readonly id: number;
  readonly ok?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

export class PythonSession {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(
    private readonly name: string,
    private readonly child: Child,
  ) {}

  /** `script`: its path in the source tree. */
  static async start(
    name: string,
    script: string,
    { launcher = [], args = [] }: { readonly launcher?: readonly string[]; readonly args?: readonly string[] } = {},
  ): Promise<PythonSession> {
    const lines: { session: PythonSession | null } = { session: null };
    const [program = PYTHON, ...rest] = [...launcher, PYTHON, '-u', scriptPath(script), ...args];
    const child = await startChild(program, rest, { onLine: (line) => lines.session?.onLine(line) });
    const session = new PythonSession(name, child);
    lines.session = session;
    void child.exited.then(() => session.#onExit());
    return session;
  }

  async call(op: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
    if (!this.child.isRunning) throw new Error(`${this.name} has ended. ${this.child.stderr}`);
    const id = ++this.#lastId;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.child.writeLine(JSON.stringify({ id, op, ...fields }));
    });
    if (answer.ok) return answer.ok;
    throw new Error(`${this.name}: ${op}: ${answer.error ?? 'no answer'}`);
  }

  async close(): Promise<void> {
    if (!this.child.isRunning) return;
    const hurry = setTimeout(() => this.child.signal('SIGKILL'), QUIT_TIMEOUT_MS);
    await this.call('quit').catch(() => undefined);
    this.child.endInput();
    await this.child.exited;
    clearTimeout(hurry);
  }

  onLine(line: string): void {
    const answer = JSON.parse(line) as Answer; // written by the script
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #onExit(): void {
    for (const [id, resolve] of this.#waiting) resolve({ id, error: `ended. ${this.child.stderr}` });
    this.#waiting.clear();
  }
}
