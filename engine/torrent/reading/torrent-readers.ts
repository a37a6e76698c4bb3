// Everybody who reads files of one torrent: whose turn it is to have pieces fetched, and who is to look again when a piece
// has come or the torrent does something else. Owns: the pieces that are in a hurry are those that its readers wait for.
import type { AccountId } from '../../../shared-protocol/ids.js';
import { inTurns } from './read-ahead.js';

/** A reader that waits for pieces, or is going to. */
export interface WaitingReader {
  readonly accountId: AccountId;
  /** Missing pieces that it wants, the first first. */
  readonly wanted: readonly number[];
  /** A piece has come, or the torrent does something else. */
  lookAgain(): void;
}

/** Where pieces are fetched, when they are. */
export interface UrgentFetching {
  /** `isJump`: the first of them is nothing that was waited for before. */
  setUrgent(pieces: readonly number[], isJump: boolean): void;
}

export class TorrentReaders {
  readonly #readers = new Set<WaitingReader>();

  constructor(private readonly fetching: UrgentFetching) {}

  get size(): number {
    return this.#readers.size;
  }

  /** Accounts take turns, and each account's readers theirs. */
  get urgent(): readonly number[] {
    const byAccount = new Map<AccountId, (readonly number[])[]>();
    for (const { accountId, wanted } of this.#readers) {
      if (wanted.length > 0) byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), wanted]);
    }
    return inTurns([...byAccount.values()].map(inTurns));
  }

  add(reader: WaitingReader): void {
    this.#readers.add(reader);
  }

  remove(reader: WaitingReader): void {
    if (this.#readers.delete(reader) && reader.wanted.length > 0) this.wantedChanged(false);
  }

  /** To be called when a reader wants others than before. */
  wantedChanged(isJump: boolean): void {
    this.fetching.setUrgent(this.urgent, isJump);
  }

  /** A piece has come, or the torrent does something else. */
  lookAgain(): void {
    for (const reader of [...this.#readers]) reader.lookAgain();
  }
}
