// An engine alone, which needs no name: a thread of this process or a process of its own.
import type { Folders } from '../../shared-protocol/folders.js';
import type { Engines } from './engines.js';

/** `awaySinceMs`: Unix milliseconds since which it is away; null: it is there. */
export function oneEngine(folders: Folders, awaySinceMs: () => number | null = () => null): Engines {
  return {
    names: [''],
    nameFor: () => '',
    foldersOf: () => folders,
    savePathOf: () => null,
    nameOf: () => '',
    awaySinceMs,
    isWhole: true,
    states: [],
    nodes: [],
    placementRules: [],
    takeOverAfterMs: Infinity,
  };
}
