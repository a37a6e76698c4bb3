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
}

export class TorrentFiles implements FileOwnership {
  constructor(
    private readonly record: FileRecord,
    private readonly rules: TakingOver,
  ) {}

  admits(index: number, found: FoundFile): boolean {
    if (this.record.has(index, found)) return true;
    const { takesOver, takesOverInode } = this.rules;
    // An empty one that an earlier run was about to make: it ended before it could record that it had.
    const isUnfinished = found.sizeBytes === 0 && this.record.wasToBeMade(index);
    if (!takesOver() && !isUnfinished && !takesOverInode(found.inode)) return false;
    this.#noteSoon(index, found);
    return true;
  }

  async beforeMaking(index: number): Promise<void> {
    if (!this.rules.takesOver()) await this.record.announce(index);
  }

  async onMade(index: number, made: FoundFile): Promise<void> {
    // Who may take over what lies there finds it again without a record.
    if (this.rules.takesOver()) this.#noteSoon(index, made);
    else await this.record.set(index, made);
  }

  mayDelete(index: number, found: FoundFile): boolean {
    return this.record.of(index) === null ? this.admits(index, found) : this.record.has(index, found);
  }

  /** The store is about to forget it, while its files have still to be deleted. */
  beforeForgotten(): void {
    this.record.readAll();
  }

  #noteSoon(index: number, found: FoundFile): void {
    this.record.set(index, found).catch((error: unknown) => {
      this.rules.log.warn('own files not recorded', { file: index, reason: String(error) });
    });
  }
}
