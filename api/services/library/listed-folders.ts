// The folders in a folder whose names begin as given. Bounded in what is read, and in how long anybody waits: a server
// that does not answer holds one of the few threads that all of this process shares, so there are few looks at a time, and
// one of an account.
import type { Folders } from '../../../shared-protocol/folders.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { FairSlots, type SlotLimits } from '../../../shared-protocol/names/fair-slots.js';

/** No spec value: more than a person reads through. */
export const MAX_FOLDERS = 100;
/** No spec value: a person waits no longer for a hint. */
const PATIENCE_MS = 2_000;

export interface ListedFolders {
  readonly names: readonly string[];
  readonly isComplete: boolean;
}

export class FolderLooks {
  readonly #slots: FairSlots;

  constructor(limits: SlotLimits) {
    this.#slots = new FairSlots(limits);
  }

  /**
   * Resolves to what `look` finds for the account; null: it takes too long, or those before it do. One that goes on keeps
   * its slot.
   */
  async within<Found>(accountId: AccountId, look: () => Promise<Found | null>): Promise<Found | null> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    const late = new Promise<null>((resolve) => patience.signal.addEventListener('abort', () => resolve(null)));
    const looked = this.#slots.run(accountId, patience.signal, look).catch((error: unknown) => {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EBUSY' || code === 'ABORT_ERR') return null;
      throw error;
    });
    return Promise.race([looked, late]).finally(() => clearTimeout(timer));
  }
}

/**
 * In order; null: it cannot be read. `folder` is real, and so is what `isShown` is asked about: of a link where it leads.
 * Names that begin with a dot are left out unless the beginning does.
 */
export async function foldersIn(
  folders: Pick<Folders, 'list'>,
  { folder, beginning }: { readonly folder: string; readonly beginning: string },
  isShown: (path: string) => boolean,
): Promise<ListedFolders | null> {
  const { entries, isComplete } = await folders.list({ folder, beginning });
  if (!entries) return null;
  const shown = entries.filter(({ kind, realPath }) => kind === 'folder' && isShown(realPath));
  const names = shown.map(({ name }) => name).sort(byName);
  return { names: names.slice(0, MAX_FOLDERS), isComplete: isComplete && names.length <= MAX_FOLDERS };
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}
