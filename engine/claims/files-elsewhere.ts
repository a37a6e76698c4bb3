// Which files at the other place of a torrent that is being moved are its own: the copies at the new one while they are
// made, and after the switch what is left at the old one. Recorded before the first byte is written, so that after an end
// at any moment nothing is removed there that the move did not make.
import type { FileOwnership, FoundFile } from '../disk/types.js';
import type { FileIdentity, FileRecord } from './file-record.js';

export class FilesElsewhere implements FileOwnership {
  constructor(private readonly record: FileRecord) {}

  admits(index: number, found: FoundFile): boolean {
    return this.record.has(index, found);
  }

  isRecorded(index: number, found: FoundFile): boolean {
    return this.record.has(index, found);
  }

  admitsIncomplete(index: number, found: FoundFile): boolean {
    return this.record.has(index, found);
  }

  beforeMaking(index: number): Promise<void> {
    return this.record.announce(index);
  }

  onMade(index: number, made: FoundFile): Promise<void> {
    return this.record.set(index, made);
  }

  /** One more name of a file that lies at the present place: an end before this is stored leaves it to be known by that. */
  async onLinked(index: number, linked: FileIdentity): Promise<void> {
    await this.record.set(index, linked).catch(() => undefined);
  }

  /** An empty one that an earlier run was about to make is its own as well. */
  mayDelete(index: number, found: FoundFile): boolean {
    return this.record.has(index, found) || (found.sizeBytes === 0 && this.record.wasToBeMade(index));
  }

  mayDeleteIncomplete(index: number, found: FoundFile): boolean {
    return this.mayDelete(index, found);
  }
}
