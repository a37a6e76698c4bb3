// A command of swarmd run as a person or a script at the terminal runs it.
import { MAIN } from './daemon.js';
import { startChild } from './peers/child-process.js';

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `input`: what it reads on standard input. */
export async function swarmd(args: readonly string[], env: Record<string, string> = {}, input?: string): Promise<Ran> {
  const lines: string[] = [];
  const shell =
    input === undefined
      ? [process.execPath, MAIN, ...args]
      : ['sh', '-c', 'printf "%s" "$INPUT" | "$@"', 'sh', process.execPath, MAIN, ...args];
  const [program = '', ...rest] = shell;
  const child = await startChild(program, rest, {
    env: { ...env, ...(input === undefined ? {} : { INPUT: input }) },
    onLine: (line) => lines.push(line),
  });
  const { code } = await child.exited;
  return { code, out: lines.join('\n'), err: child.stderr };
}
