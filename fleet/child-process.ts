// Programs that are started from here: each is ended by its own process id, and what is still alive when this process ends is
// killed then.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Characters of standard error that are kept for messages. */
const STDERR_TAIL_CHARS = 64 * 1024;
const KILL_AFTER_MS = 12_000;

const living = new Set<ChildProcessWithoutNullStreams>();

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartChildOptions {
  /** Variables that are added to this process's environment; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Every line of standard output, without its end. */
  readonly onLine?: (line: string) => void;
  /** A process group for the program alone, which Ctrl-C at the terminal does not reach. @default that of this process */
  readonly ownGroup?: boolean;
}

export interface Child {
  readonly pid: number;
  /** The end of what the program wrote to standard error. */
  readonly stderr: string;
  readonly isRunning: boolean;
  readonly exited: Promise<ExitStatus>;
  writeLine(line: string): void;
  endInput(): void;
  signal(signal: NodeJS.Signals): void;
  /** Asks the program to end, insists after 12 s. Also when it has ended already. */
  stop(signal?: NodeJS.Signals): Promise<ExitStatus>;
}

/** Rejects when the program cannot be started at all. */
export async function startChild(
  command: string,
  args: readonly string[],
  options: StartChildOptions = {},
): Promise<Child> {
  const { env, cwd, onLine, ownGroup = false } = options;
  const child = spawn(command, args, { env: { ...process.env, ...env }, cwd, stdio: 'pipe', detached: ownGroup });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_TAIL_CHARS)));
  const lines = createInterface({ input: child.stdout });
  if (onLine) lines.on('line', onLine);
  else child.stdout.resume();
  // A program that has gone closes its input; what is written then is lost, which its exit tells us anyway.
  child.stdin.on('error', () => undefined);
  const exited = new Promise<ExitStatus>((resolve) => {
    child.once('close', (code, signal) => {
      living.delete(child);
      resolve({ code, signal });
    });
  });
  await once(child, 'spawn');
  living.add(child);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command}: started without a process id`);
  return {
    pid,
    get stderr() {
      return stderr;
    },
    get isRunning() {
      return living.has(child);
    },
    exited,
    writeLine: (line) => void child.stdin.write(`${line}\n`),
    endInput: () => void child.stdin.end(),
    signal: (signal) => void child.kill(signal),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const insist = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      const status = await exited;
      clearTimeout(insist);
      return status;
    },
  };
}

/** From exit handlers, where no promise can be awaited. */
export function killChildren(): void {
  for (const child of living) child.kill('SIGKILL');
}

process.on('exit', killChildren);
