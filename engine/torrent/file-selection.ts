// Which files of a torrent are wanted, and how much: kept durably, then brought to the disk, the ledger and the swarm,
// whatever the torrent is doing (docs/semantics.md section 5).
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';
import type { FilePriority } from '../disk/types.js';
import type { TorrentFile } from '../metainfo/types.js';
import type { Content } from './files/content.js';
import {
  assertFiles,
  assertPending,
  changedPriorities,
  prioritiesOf,
  type PriorityChange,
} from './files/file-priorities.js';
import { editShare } from './holders.js';
import type { TorrentProgress } from './pieces/progress.js';
import type { SwarmManager } from './swarm/swarm-manager.js';
import { verifiedEnd } from './pieces/measure-progress.js';
import type { TorrentRecord } from './resume/torrent-record.js';
import type { DiskFailures } from './disk-failures.js';
import type { ErrorState } from './error-state.js';
import type { Recheck } from './check/recheck.js';

export interface FileSelectionDeps {
  readonly record: TorrentRecord;
  readonly progress: TorrentProgress;
  readonly swarmManager: SwarmManager;
  readonly recheck: Recheck;
  readonly errorState: ErrorState;
  /** The ledger is measured within `mutate`: what follows for the torrent is done, and durable when it resolves. */
  remeasured(mutate: () => void): Promise<void>;
  readonly diskFailures: Pick<DiskFailures, 'onWriteFailed'>;
  /** Nothing may be written to its files. */
  readonly isMoving: boolean;
  /** Files may be complete that were not. */
  lookAtNames(): void;
}

export class FileSelection {
  constructor(private readonly deps: FileSelectionDeps) {}

  /** `by`: whose choice; undefined: everybody's. @throws AppError `FILE_INDEX_INVALID`; then nothing was changed */
  set(change: PriorityChange, by?: AccountId): Promise<void> {
    const { record } = this.deps;
    return record.turns.run(async () => {
      if (!record.row.summary) return record.update(editShare(record.row, by, (own) => pending(own, change)));
      await this.#store(({ info: { files } }) => {
        assertFiles(change, files);
        return editShare(record.row, by, ({ filePriorities }) => ({
          filePriorities: changedPriorities(files, filePriorities, change),
        }));
      });
    });
  }

  /** A change of the row in which other files are wanted; `within` as in {@link TorrentRecord.update}. */
  store(change: Partial<TorrentRow>, within: (mutate: () => void) => void): Promise<void> {
    return this.deps.record.turns.run(() => this.#store(() => change, within));
  }

  async #store(
    changeOf: (content: Content) => Partial<TorrentRow>,
    within?: (mutate: () => void) => void,
  ): Promise<void> {
    const { record, swarmManager } = this.deps;
    // What was let go of last may still be writing. If that failed, it has been told.
    await swarmManager.released.catch(() => undefined);
    const content = swarmManager.content();
    if (!content) throw new AppError('STORAGE_FAILED', 'torrent: its metadata cannot be read');
    try {
      const change = changeOf(content);
      if (Object.keys(change).length > 0) await record.update(change, within);
      const next = prioritiesOf(content.info, record.row.filePriorities);
      if (next.every((priority, index) => priority === content.priorities[index])) return;
      await this.#apply(content, next);
    } finally {
      swarmManager.releaseContent();
    }
  }

  async #apply(content: Content, next: readonly FilePriority[]): Promise<void> {
    const { record, progress, swarmManager, recheck } = this.deps;
    const { info, priorities } = content;
    await record.updateNumbers(info, next, progress);
    const added = info.files.filter(({ index }) => priorities[index] === 'skip' && next[index] !== 'skip');
    const areThere = await this.#move(content, next, added);
    record.onPiecesChanged();
    if (added.length > 0) this.deps.lookAtNames();
    await this.deps.remeasured(() => {
      content.priorities = next;
      progress.remeasure(info, next);
      swarmManager.onPrioritiesChanged(content);
      if (!areThere) recheck.queue(new Set(added.map(({ index }) => index)));
    });
  }

  /**
   * Files that become wanted come out of the part file. False when bytes that were verified are not there: the file has
   * been removed since, so that everything has to be looked at again.
   */
  async #move(
    { info, storage }: Content,
    next: readonly FilePriority[],
    added: readonly TorrentFile[],
  ): Promise<boolean> {
    const { progress, errorState } = this.deps;
    // Nothing is created where files are missed: their disk may not be there.
    // Where files are being moved, it is made up for afterwards.
    if (errorState.filesMissing || this.deps.isMoving) return true;
    try {
      await storage.setPriorities(next);
      await storage.createEmptyFiles();
    } catch (error) {
      // The bytes stay usable where they are, and are moved when the disk takes writes again.
      this.deps.diskFailures.onWriteFailed(error);
      return true;
    }
    const { have } = progress;
    if (!have || added.length === 0) return true;
    const found = await storage.fileStates();
    return added.every(
      ({ index, offset, sizeBytes }) => (found[index]?.sizeBytes ?? 0) >= verifiedEnd(info, have, offset, sizeBytes),
    );
  }
}

function pending({ pendingPriorities }: HolderRow, change: PriorityChange): Pick<HolderRow, 'pendingPriorities'> {
  const all = { ...pendingPriorities, ...change };
  assertPending(all);
  return { pendingPriorities: all };
}
