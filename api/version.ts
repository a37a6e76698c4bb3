// The version of this build, and where it lies, from the package it was built in.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How far above the compiled file the package may lie: `dist/api/` is two below it. */
const CANDIDATES = ['../package.json', '../../package.json'];

function readPackage(): { readonly version: string; readonly root: string } {
  for (const candidate of CANDIDATES) {
    try {
      const file = fileURLToPath(new URL(candidate, import.meta.url));
      const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string') {
        return { version: parsed.version, root: dirname(file) };
      }
    } catch {
      // Not at this level.
    }
  }
  return { version: '0.0.0', root: dirname(fileURLToPath(import.meta.url)) };
}

export const {
  version: VERSION,
  /** The folder of our package.json: absolute. */
  root: PROGRAM_ROOT,
} = readPackage();
