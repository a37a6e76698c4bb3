// Programs that tests start: each is ended by its own process id, whatever becomes of the test. What is still alive
// when this process ends is killed from its exit handlers, since no promise can be awaited there.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Characters of standard error that are kept for messages. */
const STDERR_TAIL_CHARS = 64 * 1024;
const KILL_AFTER_MS = 12_000;

const living = new Set<ChildProcessWithoutNullStreams>();
const directories = new Set<string>();

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartChildOptions {
  /** Added to this process's environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Every line of standard output, without its end. */
  readonly onLine?: (line: string) => void;
}

export interface Child {
  readonly pid: number;
  /** The end of what it wrote to standard error. */
  readonly stderr: string;
  readonly isRunning: boolean;
  readonly exited: Promise<ExitStatus>;
  writeLine(line: string): void;
  endInput(): void;
  signal(signal: NodeJS.Signals): void;
  /** Asks it to end, insists after 12 s. Also when it has ended already. */
  stop(signal?: NodeJS.Signals): Promise<ExitStatus>;
}

/** Rejects when the program cannot be started at all. */
export async function startChild(
  command: string,
  args: readonly string[],
  options: StartChildOptions = {},
): Promise<Child> {
  const child = spawn(command, args, { env: { ...process.env, ...options.env }, cwd: options.cwd, stdio: 'pipe' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_TAIL_CHARS)));
  const lines = createInterface({ input: child.stdout });
  if (options.onLine) lines.on('line', options.onLine);
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

/** Removed at the end of this process, should the test not come to it. */
export function removeAtExit(directory: string): { readonly done: () => void } {
  directories.add(directory);
  return { done: () => void directories.delete(directory) };
}

function cleanUp(): void {
  for (const child of living) child.kill('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}

process.on('exit', cleanUp);
// tap ends a test that takes too long by SIGTERM, or by SIGALRM where the file runs by itself; neither runs `exit`
// handlers.
for (const signal of ['SIGTERM', 'SIGALRM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    cleanUp();
    process.kill(process.pid, signal);
  });
}
