// How many files may be open at once: a share of what the process may have (safety.md 2.31).
import { readFileSync } from 'node:fs';
import { FALLBACK_OPEN_FILES, MAX_OPEN_FILES, OPEN_FILES_SHARE } from './constants.js';

/** The limit from the text of /proc/self/limits; its first number is the soft one. */
export function openFileLimitFrom(limits: string): number {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  if (soft === undefined) return FALLBACK_OPEN_FILES;
  if (soft === 'unlimited') return MAX_OPEN_FILES;
  return Math.max(1, Math.min(MAX_OPEN_FILES, Math.floor(Number(soft) * OPEN_FILES_SHARE)));
}

export function openFileLimit(): number {
  try {
    return openFileLimitFrom(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return FALLBACK_OPEN_FILES;
  }
}
