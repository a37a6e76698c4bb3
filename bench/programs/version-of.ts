// Whether a program is installed, and which version of it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The first thing that matches `pattern` in what the command prints; null where the command does not run. */
export async function versionOf(command: string, args: readonly string[], pattern: RegExp): Promise<string | null> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args);
    return pattern.exec(stdout + stderr)?.[1] ?? null;
  } catch {
    return null;
  }
}
