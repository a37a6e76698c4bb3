// Everybody who reads files of torrents, by a number that nobody can guess: what was opened with an engine that has ended is
// never somebody else's file with the next one.
import type { OpenedFile, ReadFileParams } from '../../shared-protocol/commands/reading.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { Random } from '../environment.js';
import type { FileReader, FileReaderOptions } from '../torrent/reading/file-reader.js';
import { unguessedNumber } from './unguessed-number.js';

/** Over all torrents; the API has fewer for each account. A line of defence, for each keeps a torrent's content open. */
const MAX_READERS = 512;

/** A torrent that can be read. */
export interface ReadableTorrent {
  openFile(options: FileReaderOptions): FileReader;
}

export class FileReaders {
  readonly #readers = new Map<number, FileReader>();

  constructor(private readonly random: Random) {}

  get size(): number {
    return this.#readers.size;
  }

  /** @throws AppError `TOO_MANY_READERS`, and whatever the torrent says */
  open(torrent: ReadableTorrent, options: FileReaderOptions): OpenedFile {
    if (this.#readers.size >= MAX_READERS) throw new AppError('TOO_MANY_READERS', 'too many files are being read');
    const opened = torrent.openFile(options);
    const reader = unguessedNumber(this.random, (used) => this.#readers.has(used));
    this.#readers.set(reader, opened);
    return { reader, ...opened.opened };
  }

  /** @throws AppError `FILE_UNAVAILABLE` where it is not open */
  async read({ reader, ...range }: ReadFileParams): Promise<Uint8Array> {
    const opened = this.#readers.get(reader);
    if (!opened) throw new AppError('FILE_UNAVAILABLE', 'file: it is not open any more');
    return opened.read(range);
  }

  close(reader: number): void {
    this.#readers.get(reader)?.close();
    this.#readers.delete(reader);
  }
}
