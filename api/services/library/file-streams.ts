// Files of torrents as they are read over HTTP: the engine is asked for a chunk at a time, and goes on fetching what will be
// asked for next. Owns: how many files are read at a time, by account, and which gives its place up where all are taken; and
// that each is closed once.
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
/** Streams of all links of an account together: they leave room for other accounts. */
const MAX_STREAMS_OF_LINKS = 32;

type Engine = Pick<EngineClient, 'openFile' | 'readFile' | 'closeFile'>;

export interface FileStreamsDeps {
  readonly engine: { readonly client: Engine };
}

export class FileStreams {
  /** In the order in which they were taken. */
  readonly #places = new Set<Place>();

  constructor(private readonly deps: FileStreamsDeps) {}

  get size(): number {
    return this.#places.size;
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

  /**
   * A place in which one file after another is read, until it is released. Where all are taken, the first of the account
   * that has most makes way, if that account then still has as many as this one.
   * @throws RequestError `TOO_MANY_STREAMS`
   */
  take(accountId: AccountId, link: number | null = null): StreamPlace {
    const own = [...this.#places].filter((place) => place.accountId === accountId);
    const ofLinks = own.filter((place) => place.link !== null);
    const isFull =
      link === null
        ? own.length - ofLinks.length >= MAX_STREAMS_OF_AN_ACCOUNT
        : ofLinks.length >= MAX_STREAMS_OF_LINKS ||
          ofLinks.filter((place) => place.link === link).length >= MAX_STREAMS_OF_A_LINK;
    if (isFull) throw new RequestError('TOO_MANY_STREAMS');
    if (this.#places.size >= MAX_STREAMS) this.#makeRoom(own.length);
    const place = new Place(accountId, link, this.deps, () => void this.#places.delete(place));
    this.#places.add(place);
    return place;
  }

  #makeRoom(own: number): void {
    const byAccount = new Map<AccountId, Place[]>();
    for (const place of this.#places) {
      const places = byAccount.get(place.accountId);
      if (places) places.push(place);
      else byAccount.set(place.accountId, [place]);
    }
    const most = [...byAccount.values()].reduce((a, b) => (b.length > a.length ? b : a));
    if (most.length <= own + 1) throw new RequestError('TOO_MANY_STREAMS');
    most[0]!.giveUp();
  }
}

/** One of the places for files that are read. */
export interface StreamPlace {
  /** @throws AppError `METADATA_UNKNOWN`, `FILE_NOT_FOUND` */
  open(share: ShareRef, index: number, onClosed?: () => void): Promise<FileStream>;
  /** @throws RequestError `TOO_MANY_STREAMS` where it was given up for another account */
  assertHeld(): void;
  /** Also twice. */
  release(): void;
}

class Place implements StreamPlace {
  #isGivenUp = false;
  #file: FileStream | null = null;

  constructor(
    readonly accountId: AccountId,
    readonly link: number | null,
    private readonly deps: FileStreamsDeps,
    readonly release: () => void,
  ) {}

  async open(share: ShareRef, index: number, onClosed: () => void = () => undefined): Promise<FileStream> {
    this.assertHeld();
    // The client of the moment: a later engine has never heard of the reader.
    const { client } = this.deps.engine;
    const params: OpenFileParams = { ...share, index, accountId: this.accountId };
    const file = new FileStream({ ...(await client.openFile(params)), client, onClosed, place: this });
    this.#file = file;
    if (this.#isGivenUp) file.end();
    return file;
  }

  assertHeld(): void {
    if (this.#isGivenUp) throw new RequestError('TOO_MANY_STREAMS');
  }

  giveUp(): void {
    this.#isGivenUp = true;
    this.#file?.end();
    this.release();
  }
}

interface OpenStream extends OpenedFile {
  readonly client: Engine;
  readonly onClosed: () => void;
  readonly place: Pick<StreamPlace, 'assertHeld'>;
}

export class FileStream {
  #isClosed = false;
  #isEnded = false;

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
   * @throws AppError `FILE_UNAVAILABLE`, `TORRENT_NOT_FOUND`; RequestError `TOO_MANY_STREAMS` where its place was given up
   */
  async read(from: number, until: number): Promise<Uint8Array> {
    const { client, reader } = this.opened;
    this.assertHeld();
    const bytes = await client.readFile({ reader, from, count: Math.min(MAX_READ_BYTES, until - from), until });
    this.assertHeld();
    return this.#isClosed ? bytes.subarray(0, 0) : bytes;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws RequestError `TOO_MANY_STREAMS` where its place was given up for another account */
  assertHeld(): void {
    this.opened.place.assertHeld();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.opened.onClosed();
    this.end();
  }

  /** The engine reads no more for it; whoever reads it is to close it all the same. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { client, reader } = this.opened;
    // An engine that is away has closed it already.
    client.closeFile({ reader }).catch(() => undefined);
  }
}
