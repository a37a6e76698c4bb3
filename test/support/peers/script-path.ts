// Where a script in Python lies: the compiler does not copy it, so it is in the source tree above wherever this file was compiled to.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `script`: its path in the source tree. */
export function scriptPath(script: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, script);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) throw new Error(`${script} not found above ${import.meta.url}`);
  }
}
