// Which of the files at a torrent's paths are its own: what the disk asks before it reads, writes, hashes or deletes one.
import type { FileOwnership, FoundFile } from '../disk/types.js';
import type { Log } from '../environment.js';
import type { FileRecord } from './file-record.js';

export interface TakingOver {
  readonly log: Log;
  /** Whatever lies at its paths is its own. */
  takesOver(): boolean;
  /** This file is, though it was not so far. */
  takesOverInode(inode: number): boolean;
  /** Whether an administrator has asked for what lies there, under either name, and it is no other torrent's. */
  isGranted(inode: number): boolean;
  /** Whether another torrent has recorded the file; an incomplete one has one torrent alone. */
  isOthers(inode: number): boolean;
  /** Whether another torrent's incomplete file has the name of this one of the torrent. */
  isIncompleteOfOther(index: number, inode: number): boolean;
  /** Whether files may have either of two names: which file is the torrent's the record alone says then. */
  readonly hasTwoNames: boolean;
}

export class TorrentFiles implements FileOwnership {
  constructor(
    private readonly record: FileRecord,
    private readonly rules: TakingOver,
  ) {}

  admits(index: number, found: FoundFile): boolean {
    if (this.record.has(index, found)) return true;
    const { takesOver, takesOverInode } = this.rules;
    if (!takesOver() && !this.#isUnfinished(index, found) && !takesOverInode(found.inode)) return false;
    if (this.rules.isIncompleteOfOther(index, found.inode)) return false;
    this.#noteSoon(index, found);
    return true;
  }

  isRecorded(index: number, found: FoundFile): boolean {
    return this.record.has(index, found);
  }

  /** Strangers' programs have names like that as well: nothing is taken over unless it was asked for, or one was made here. */
  admitsIncomplete(index: number, found: FoundFile): boolean {
    if (this.record.has(index, found)) return true;
    const { takesOver, isGranted, isOthers } = this.rules;
    // Some file systems give out other numbers at each mount.
    const isFoundAgain = this.record.of(index) !== null && takesOver() && !isOthers(found.inode);
    if (!isFoundAgain && !this.#isUnfinished(index, found) && !isGranted(found.inode)) return false;
    this.#noteSoon(index, found);
    return true;
  }

  mayDeleteIncomplete(index: number, found: FoundFile): boolean {
    return this.record.has(index, found) || this.#isUnfinished(index, found);
  }

  async beforeMaking(index: number): Promise<void> {
    if (this.#isRecordedFirst()) await this.record.announce(index);
  }

  async onMade(index: number, made: FoundFile): Promise<void> {
    if (this.#isRecordedFirst()) await this.record.set(index, made);
    else this.#noteSoon(index, made);
  }

  mayDelete(index: number, found: FoundFile): boolean {
    return this.record.of(index) === null ? this.admits(index, found) : this.record.has(index, found);
  }

  /** Whether a file is used only once it is recorded: without that, an account that may take over what lies there finds it again. */
  #isRecordedFirst(): boolean {
    return this.rules.hasTwoNames || !this.rules.takesOver();
  }

  /** An empty one that an earlier run was about to make: it ended before it could record that it had. */
  #isUnfinished(index: number, { sizeBytes }: FoundFile): boolean {
    return sizeBytes === 0 && this.record.wasToBeMade(index);
  }

  #noteSoon(index: number, found: FoundFile): void {
    this.record.set(index, found).catch((error: unknown) => {
      this.rules.log.warn('own files not recorded', { file: index, reason: String(error) });
    });
  }
}
