// Files that an option names, of which the first line counts: passwords and keys, which are not to be seen among the processes.
import { readFile } from 'node:fs/promises';

/** Returns it without its end. @throws Error naming the option and the file where it cannot be read */
export async function firstLineOf(option: `--${string}`, file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`${option} ${file}: cannot be read`, { cause });
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
