// An archive on its way: bytes appended as they come, unpacked when it is whole, in a folder of its own that no other user may open.
// Who may have one, and when it is forgotten, is decided in import-archives.ts.
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportArchiveDto } from '../../../../shared-protocol/dto/import-archives.js';
import type { AccountId } from '../../../../shared-protocol/ids.js';
import { RequestError } from '../../../errors.js';
import { archiveRefused, type ArchiveBounds } from './bounds.js';
import { assertRoom } from './unpacked-state.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const LOOK_EVERY_BYTES = 16 * 1024 ** 2;

export interface ReceivedArchiveParams {
  readonly id: number;
  readonly accountId: AccountId;
  /** Bytes of all of it; null: whatever the first part has. */
  readonly size: number | null;
  /** Not there yet. */
  readonly folder: string;
}

export class ReceivedArchive {
  /** `idle`: the next part may come, or an import. */
  use: 'idle' | 'receiving' | 'importing' = 'idle';
  /** Aborted when nobody wants it any more: what is under way ends, and it goes. */
  readonly ending = new AbortController();
  #received = 0;
  #unpacked: { readonly entries: number; readonly bytes: number } | null = null;

  /** @throws AppError `IMPORT_UNREADABLE` */
  constructor(
    private readonly params: ReceivedArchiveParams,
    private readonly bounds: ArchiveBounds,
  ) {
    if ((params.size ?? 0) > bounds.compressedBytes) throw tooLarge(bounds.compressedBytes);
  }

  get id(): number {
    return this.params.id;
  }

  get accountId(): AccountId {
    return this.params.accountId;
  }

  get received(): number {
    return this.#received;
  }

  get isWhole(): boolean {
    return this.#unpacked !== null;
  }

  /** The directory that holds its files and folders, once it is whole. */
  get statePath(): string {
    return join(this.params.folder, 'state');
  }

  get #filePath(): string {
    return join(this.params.folder, 'archive');
  }

  /** Reads all of `bytes`, unless it fails; unpacks the archive if they were the last ones. @throws AppError, RequestError, and whatever the disk, the sender or the archive fail with */
  async append(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { size, folder } = this.params;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await this.#write(bytes);
    if (size === null || this.#received === size) await this.#unpack();
    this.#assertWanted();
  }

  async remove(): Promise<void> {
    await rm(this.params.folder, { recursive: true, force: true });
  }

  toDto(): ImportArchiveDto {
    const unpacked = this.#unpacked;
    return {
      ...{ id: this.id, state: unpacked ? 'ready' : 'receiving', received_bytes: this.#received },
      ...{ entries: unpacked?.entries ?? 0, unpacked_bytes: unpacked?.bytes ?? 0 },
    };
  }

  async #write(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { size, folder } = this.params;
    const most = size ?? this.bounds.compressedBytes;
    await assertRoom(folder, this.bounds);
    const file = await open(this.#filePath, 'a', FILE_MODE);
    try {
      let lookedAt = this.#received;
      for await (const chunk of bytes) {
        this.#assertWanted();
        this.#received += chunk.length;
        if (this.#received > most)
          throw size === null ? tooLarge(most) : archiveRefused(`more bytes than the ${most} of its size`);
        await file.appendFile(chunk);
        if (this.#received - lookedAt < LOOK_EVERY_BYTES) continue;
        lookedAt = this.#received;
        await assertRoom(folder, this.bounds);
      }
    } finally {
      await file.close();
    }
  }

  async #unpack(): Promise<void> {
    await mkdir(this.statePath, { mode: FOLDER_MODE });
    const params = { archive: this.#filePath, target: this.statePath, bounds: this.bounds };
    const { unpack } = await import('./unpack.js');
    this.#unpacked = await unpack(params, () => this.#assertWanted());
    await rm(this.#filePath);
  }

  #assertWanted(): void {
    if (this.ending.signal.aborted) throw new RequestError('CONFLICT', 'archive: it was deleted meanwhile');
  }
}

function tooLarge(bytes: number): Error {
  return archiveRefused(`is larger than ${bytes} bytes`, 'ARCHIVE_TOO_LARGE', { max: bytes });
}
