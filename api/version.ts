// The version of this build, from the package it was built in.
import { readFileSync } from 'node:fs';

/** How far above the compiled file the package may lie: `dist/api/` is two below it. */
const CANDIDATES = ['../package.json', '../../package.json'];

function readVersion(): string {
  for (const candidate of CANDIDATES) {
    try {
      const parsed: unknown = JSON.parse(readFileSync(new URL(candidate, import.meta.url), 'utf8'));
      if (typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string') {
        return parsed.version;
      }
    } catch {
      // Not at this level.
    }
  }
  return '0.0.0';
}

export const VERSION = readVersion();
