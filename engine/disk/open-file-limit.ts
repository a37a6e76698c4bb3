// How many files may be open at once: a share of what the process may have (safety.md 2.31).
import { descriptorLimit } from '../../shared-protocol/descriptors.js';
import { FALLBACK_OPEN_FILES, MAX_OPEN_FILES, OPEN_FILES_SHARE } from './constants.js';

/** `limit`: of the process's descriptors; null: unknown. */
export function openFileLimit(limit = descriptorLimit()): number {
  if (limit === null) return FALLBACK_OPEN_FILES;
  return Math.max(1, Math.min(MAX_OPEN_FILES, Math.floor(limit * OPEN_FILES_SHARE)));
}
