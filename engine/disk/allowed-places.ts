// Where files of torrents may really be: never in the data directory, where archives of it lie or in what engines share, and
// below the roots where the engine was given some (docs/operate/engine-process.md). Asked with the place that the kernel
// names, so that no link leads around it. Pure.
import { isAtOrBelow } from '../../storage/real-location.js';
import { isInSharedFolder } from '../../storage/shared-roots/shared-folder.js';

/** Why nothing may be opened, made or listed at a real place; null: it may. */
export type RefusePlace = (place: string) => string | null;

export interface Places {
  /** The data directory. */
  readonly own: string;
  /** The folder of the archives of the state, which hold what the data directory holds. */
  readonly backups?: string | undefined;
  /** Roots that other engines have as well: what engines know of each other lies there. */
  readonly shared?: readonly string[] | undefined;
  /** None: anywhere else. */
  readonly roots?: readonly string[] | undefined;
}

/** All are real. */
export function refusePlaces({ own, backups, shared = [], roots = [] }: Places): RefusePlace {
  return (place) => {
    if (isAtOrBelow(place, own)) return 'is inside the data directory';
    if (backups !== undefined && isAtOrBelow(place, backups)) return 'is inside the folder of the backups';
    if (shared.some((root) => isInSharedFolder(place, root))) return 'is inside the folder that engines share';
    const isInside = roots.length === 0 || roots.some((root) => isAtOrBelow(place, root));
    return isInside ? null : 'is outside the roots of the engine';
  };
}

export const REFUSE_NONE: RefusePlace = () => null;
