// The files of a torrent of which the record alone decides: nothing becomes its own, and nothing else is its own. For one that an
// earlier run has removed: what has been laid at its paths since is somebody's.
import type { FileOwnership, FoundFile } from '../disk/types.js';

export class RecordedFiles implements FileOwnership {
  #hasRefused = false;

  constructor(private readonly record: Pick<FileOwnership, 'isRecorded'>) {}

  /** Whether something was to be deleted that is not recorded. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  isRecorded(index: number, found: FoundFile): boolean {
    return this.record.isRecorded(index, found);
  }

  admits(index: number, found: FoundFile): boolean {
    return this.isRecorded(index, found);
  }

  admitsIncomplete(index: number, found: FoundFile): boolean {
    return this.isRecorded(index, found);
  }

  mayDelete(index: number, found: FoundFile): boolean {
    const may = this.isRecorded(index, found);
    this.#hasRefused ||= !may;
    return may;
  }

  mayDeleteIncomplete(index: number, found: FoundFile): boolean {
    return this.mayDelete(index, found);
  }

  async beforeMaking(): Promise<void> {
    // None is made.
  }

  async onMade(): Promise<void> {
    // None is made.
  }
}
