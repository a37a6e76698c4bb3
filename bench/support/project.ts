// Where the repository is: the nearest folder upwards with a package.json. Scripts that are not compiled lie there.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function projectFile(...path: readonly string[]): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) throw new Error('bench: no package.json above the compiled files');
    folder = dirname(folder);
  }
  return join(folder, ...path);
}

export function projectVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : 'unknown';
}

/** A compiled file of the project, by its path from the folder of the compiled output. */
export function compiledFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
