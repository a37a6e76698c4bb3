// Files of torrents as they are read over HTTP: the engine is asked for a chunk at a time, and goes on fetching what will be
// asked for next. Owns: how many files are read at a time, by account; and that each is closed once.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { OpenedFile, OpenFileParams } from '../../../shared-protocol/commands/reading.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import { MAX_READ_BYTES } from '../../../shared-protocol/commands/reading.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { RequestError } from '../../errors.js';

/** Each has a chunk in memory, and another in the buffers of its connection. */
const MAX_STREAMS = 128;
/** Streams of an account: a player has two or three while it seeks, a browser six for a page. */
const MAX_STREAMS_OF_AN_ACCOUNT = 16;
/** Streams of a link, whose account keeps its own for itself: several people may have it. */
const MAX_STREAMS_OF_A_LINK = 8;

type Engine = Pick<EngineClient, 'openFile' | 'readFile' | 'closeFile'>;

export interface FileStreamsDeps {
  readonly engine: { readonly client: Engine };
}

export class FileStreams {
  /** By account or link. */
  readonly #bySource = new Map<string, number>();
  #count = 0;

  constructor(private readonly deps: FileStreamsDeps) {}

  get size(): number {
    return this.#count;
  }

  /** `link`: by which it is read, with the rights of the account. @throws RequestError `TOO_MANY_STREAMS`; AppError `METADATA_UNKNOWN`, `FILE_NOT_FOUND` */
  async open(share: ShareRef, index: number, accountId: AccountId, link: number | null = null): Promise<FileStream> {
    const place = this.take(accountId, link);
    try {
      return await place.open(share, index, () => place.release());
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /** A place in which one file after another is read, until it is released. @throws RequestError `TOO_MANY_STREAMS` */
  take(accountId: AccountId, link: number | null = null): StreamPlace {
    const source = link === null ? `account ${accountId}` : `link ${link}`;
    const most = link === null ? MAX_STREAMS_OF_AN_ACCOUNT : MAX_STREAMS_OF_A_LINK;
    const own = this.#bySource.get(source) ?? 0;
    if (this.#count >= MAX_STREAMS || own >= most) throw new RequestError('TOO_MANY_STREAMS');
    this.#count++;
    this.#bySource.set(source, own + 1);
    let isTaken = true;
    return {
      open: (share, index, onClosed = () => undefined) => this.#open({ ...share, index, accountId }, onClosed),
      release: () => {
        if (isTaken) this.#release(source);
        isTaken = false;
      },
    };
  }

  async #open(params: OpenFileParams, onClosed: () => void): Promise<FileStream> {
    // The client of the moment: a later engine has never heard of the reader.
    const { client } = this.deps.engine;
    return new FileStream({ ...(await client.openFile(params)), client, onClosed });
  }

  #release(source: string): void {
    this.#count--;
    const left = (this.#bySource.get(source) ?? 1) - 1;
    if (left > 0) this.#bySource.set(source, left);
    else this.#bySource.delete(source);
  }
}

/** One of the places for files that are read. */
export interface StreamPlace {
  /** @throws AppError `METADATA_UNKNOWN`, `FILE_NOT_FOUND` */
  open(share: ShareRef, index: number, onClosed?: () => void): Promise<FileStream>;
  /** Also twice. */
  release(): void;
}

interface OpenStream extends OpenedFile {
  readonly client: Engine;
  readonly onClosed: () => void;
}

export class FileStream {
  #isClosed = false;

  constructor(private readonly opened: OpenStream) {}

  /** Below the save path. */
  get path(): string {
    return this.opened.path;
  }

  get sizeBytes(): number {
    return this.opened.sizeBytes;
  }

  /** All of it was there when it was opened. */
  get isWhole(): boolean {
    return this.opened.isWhole;
  }

  /**
   * The next bytes from an offset on, a chunk at most; none: they have not come within some seconds, or it was closed.
   * @throws AppError `FILE_UNAVAILABLE`, `TORRENT_NOT_FOUND`
   */
  async read(from: number, until: number): Promise<Uint8Array> {
    const { client, reader } = this.opened;
    const bytes = await client.readFile({ reader, from, count: Math.min(MAX_READ_BYTES, until - from), until });
    return this.#isClosed ? bytes.subarray(0, 0) : bytes;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { client, reader, onClosed } = this.opened;
    onClosed();
    // An engine that is away has closed it already.
    client.closeFile({ reader }).catch(() => undefined);
  }
}
