// Where files of torrents may really be: never in the data directory or what engines share, and below the roots where the engine was given some
// (docs/operate/engine-process.md). Asked with the place that the kernel names, so that no link leads around it. Pure.
import { isAtOrBelow } from '../../storage/real-location.js';

/** Why nothing may be opened, made or listed at a real place; null: it may. */
export type RefusePlace = (place: string) => string | null;

/** All are real. `own`: the data directory, and what engines know of each other on shared roots. No roots: anywhere else. */
export function refusePlaces(own: readonly string[], roots: readonly string[] = []): RefusePlace {
  return (place) => {
    if (own.some((folder) => isAtOrBelow(place, folder))) return 'is inside the data directory';
    const isInside = roots.length === 0 || roots.some((root) => isAtOrBelow(place, root));
    return isInside ? null : 'is outside the roots of the engine';
  };
}

export const REFUSE_NONE: RefusePlace = () => null;
