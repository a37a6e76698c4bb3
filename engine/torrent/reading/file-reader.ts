// Somebody who reads a file of a torrent, whatever of it is there: gives verified bytes and nothing else, and waits a while
// for what is on its way. The content stays open as long as it does; where the files lie is asked anew at each read.
import type { OpenedFile, ReadFileParams } from '../../../shared-protocol/commands/reading.js';
import { MAX_READ_BYTES } from '../../../shared-protocol/commands/reading.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import type { TorrentRow } from '../../../storage/types.js';
import { SECOND_MS, type Clock, type Timer } from '../../environment.js';
import type { TorrentFile } from '../../metainfo/types.js';
import type { DiskFailures } from '../disk-failures.js';
import type { ErrorState } from '../error-state.js';
import type { Content } from '../files/content.js';
import { shareShown } from '../holders.js';
import type { TorrentProgress } from '../pieces/progress.js';
import type { Activity } from '../state.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import { assertComing, assertReadable, unavailable, type FileState } from './availability.js';
import { missingAhead, provenEnd, verifiedEnd, type ByteSpan } from './read-ahead.js';
import type { TorrentReaders, WaitingReader } from './torrent-readers.js';

/** How long one read waits: well under the deadline of its command. Whoever asks looks then whether it may go on. */
const READ_WAIT_MS = 5 * SECOND_MS;
const NOTHING: readonly number[] = [];
const NO_BYTES = new Uint8Array(0);

/** The torrent, all of it as it is when it is asked. */
export interface ReadTorrent {
  readonly id: TorrentId;
  readonly row: TorrentRow;
  readonly activity: Activity;
  readonly isLive: boolean;
  readonly hasEnded: boolean;
  readonly progress: Pick<TorrentProgress, 'have'>;
  /** Whether the piece may be given. One that is trusted only is hashed first: readers look again then. */
  isProven(piece: number): boolean;
  readonly errorState: Pick<ErrorState, 'filesMissing'>;
  readonly swarmManager: Pick<SwarmManager, 'content' | 'holdContent' | 'releaseContent'>;
  readonly diskFailures: Pick<DiskFailures, 'onReadFailed'>;
  readonly services: { readonly clock: Clock };
  readonly readers: TorrentReaders;
}

export interface FileReaderOptions {
  readonly index: number;
  readonly accountId: AccountId;
  /** The account whose share is read; undefined: the torrent's. */
  readonly by: AccountId | undefined;
}

export class FileReader implements WaitingReader {
  wanted: readonly number[] = NOTHING;
  #isClosed = false;
  #wake: (() => void) | null = null;
  /** First and last piece of the window it read in last. */
  #window = { first: -1, last: -2 };

  /** @throws AppError `TORRENT_NOT_FOUND`, `METADATA_UNKNOWN`, `FILE_NOT_FOUND` */
  constructor(
    private readonly torrent: ReadTorrent,
    private readonly options: FileReaderOptions,
  ) {
    const { swarmManager, readers } = torrent;
    swarmManager.holdContent(true);
    try {
      this.#state();
      this.#file();
    } catch (error) {
      this.#letGo();
      throw error;
    }
    readers.add(this);
  }

  get accountId(): AccountId {
    return this.options.accountId;
  }

  get opened(): Omit<OpenedFile, 'reader'> {
    const { content, file } = this.#file();
    const { have } = this.torrent.progress;
    const span = spanOf(file, 0, file.sizeBytes);
    const isWhole = have !== null && verifiedEnd(content.info.pieceLength, span, have) === span.end;
    return { path: file.path.join('/'), sizeBytes: file.sizeBytes, isWhole };
  }

  /** Nothing where it does not come within a while, or the reader is closed. @throws AppError `FILE_UNAVAILABLE` */
  async read({ from, count, until }: Omit<ReadFileParams, 'reader'>): Promise<Uint8Array> {
    const { clock } = this.torrent.services;
    const giveUpMs = clock.nowMs() + READ_WAIT_MS;
    while (!this.#isClosed) {
      const state = this.#state();
      const { content, file } = this.#file();
      const span = spanOf(file, from, until);
      const have = this.torrent.progress.have;
      if (!have || span.end <= span.start) return NO_BYTES;
      const { pieceLength } = content.info;
      assertReadable(state);
      const asked = { start: span.start, end: Math.min(span.end, span.start + Math.min(count, MAX_READ_BYTES)) };
      const end = verifiedEnd(pieceLength, asked, have);
      if (end > span.start) {
        // What is not wanted, or not to be fetched for this share, is given as far as it is there.
        const isComing = state.activity === 'downloading' && !state.isPaused && state.priority !== 'skip';
        this.#want(isComing ? { start: end, end: span.end } : null, pieceLength);
        const proven = provenEnd(pieceLength, { start: span.start, end }, (piece) => this.torrent.isProven(piece));
        if (proven > span.start) return this.#readVerified(content, { start: span.start, end: proven }, state);
      } else {
        assertComing(state);
        this.#want(span, pieceLength);
      }
      const leftMs = giveUpMs - clock.nowMs();
      if (leftMs <= 0) break;
      await this.#changed(leftMs);
    }
    return NO_BYTES;
  }

  lookAgain(): void {
    this.#wake?.();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.torrent.readers.remove(this);
    this.#letGo();
    this.lookAgain();
  }

  #letGo(): void {
    const { swarmManager } = this.torrent;
    swarmManager.holdContent(false);
    swarmManager.releaseContent();
  }

  #state(): FileState {
    const { row, activity, isLive, hasEnded, errorState, id } = this.torrent;
    if (hasEnded) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
    const { filePriorities, isPaused } = shareShown(row, this.options.by);
    const priority = filePriorities?.[this.options.index] ?? 'normal';
    return { activity, isLive, filesMissing: errorState.filesMissing, isPaused: isPaused || row.paused, priority };
  }

  #file(): { readonly content: Content; readonly file: TorrentFile } {
    const { row, swarmManager } = this.torrent;
    if (!row.summary) throw new AppError('METADATA_UNKNOWN', 'file: what is in the torrent is not known yet');
    const content = swarmManager.content();
    if (!content) throw unavailable('what is in its torrent cannot be read');
    const file = content.info.files[this.options.index];
    if (!file || file.isPad) throw new AppError('FILE_NOT_FOUND', 'file not found');
    return { content, file };
  }

  /** null: nothing. */
  #want(span: ByteSpan | null, pieceLength: number): void {
    const { progress, readers } = this.torrent;
    const { have } = progress;
    const wanted = span && have ? missingAhead(pieceLength, span, have) : NOTHING;
    const first = span ? Math.floor(span.start / pieceLength) : -1;
    const isJump = wanted.length > 0 && (first < this.#window.first || first > this.#window.last + 1);
    if (span) this.#window = { first, last: wanted.at(-1) ?? first };
    if (wanted.length === this.wanted.length && wanted.every((piece, nth) => piece === this.wanted[nth])) return;
    this.wanted = wanted;
    readers.wantedChanged(isJump);
  }

  async #readVerified({ storage }: Content, { start, end }: ByteSpan, state: FileState): Promise<Uint8Array> {
    const bytes = new Uint8Array(end - start);
    try {
      await storage.read(start, [bytes]);
    } catch (error) {
      const { hasEnded, diskFailures } = this.torrent;
      if (hasEnded) throw error;
      // Of a file that is not wanted only what neighbours need is kept.
      if (state.priority !== 'skip') diskFailures.onReadFailed(error);
      throw unavailable('it cannot be read');
    }
    return bytes;
  }

  /** Resolves when there is a reason to look again, at the latest after the time given. */
  async #changed(waitMs: number): Promise<void> {
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = this.torrent.services.clock.after(waitMs, resolve);
    });
    this.#wake = null;
    timer?.cancel();
  }
}

/** In bytes of the torrent. */
function spanOf({ offset, sizeBytes }: TorrentFile, from: number, until: number): ByteSpan {
  return { start: offset + from, end: offset + Math.min(sizeBytes, until) };
}
