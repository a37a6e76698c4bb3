// A short number for each torrent, for interfaces that name torrents so: 1, 2, … in the order in which they were added, the
// same for all accounts, never given twice while the process lives. Nothing is kept before one is asked for. Tells
// as well which torrents have lately gone from an account's list, which lists of what has changed leave out.
import type { EngineEvent } from '../../../shared-protocol/events.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import { ADMIN_ACCOUNT_ID } from '../../../shared-protocol/ids.js';
import type { Account } from '../../auth/account.js';
import type { Library } from './library.js';
import { sharesByAccount, type ListedTorrent } from './shares.js';

/** How long a torrent is told of as gone; Transmission's own. */
const LATELY_MS = 60_000;
/** No spec value: those that went first are left out of more. */
const MAX_GONE = 20_000;
/** Numbers of torrents that went while the engine was away, beside as many as there are torrents. */
const MAX_STALE = 1_000;

interface Gone {
  readonly number: number;
  readonly atMs: number;
  /** Accounts from whose lists it has gone. */
  readonly accounts: ReadonlySet<AccountId>;
  /** From the list of administrators as well. */
  readonly isRemoved: boolean;
}

export interface TorrentNumbersDeps {
  readonly library: Pick<Library, 'all' | 'find' | 'visibleTo'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class TorrentNumbers {
  readonly #numbers = new Map<TorrentId, number>();
  readonly #ids = new Map<number, TorrentId>();
  /** The first to go first. */
  #gone: Gone[] = [];
  #last = 0;

  constructor(private readonly deps: TorrentNumbersDeps) {}

  /** Before the library has heard of it. */
  handleEvent(event: EngineEvent): void {
    if (this.#last === 0) return;
    if (event.name === 'torrents.added') for (const { id } of event.payload.torrents) this.#give(id);
    if (event.name === 'torrent.changed') this.#noteLosses(event.payload.facts);
    if (event.name === 'torrent.removed') this.#take(event.payload.id);
  }

  numberOf(id: TorrentId): number {
    if (this.#last === 0) this.#begin();
    return this.#numbers.get(id) ?? this.#give(id);
  }

  /** Whether the account may know of it is another matter. */
  idOf(number: number): TorrentId | undefined {
    if (this.#last === 0) this.#begin();
    return this.#ids.get(number);
  }

  /** The numbers that went from the account's list within the last minute. */
  goneFrom({ role, id }: Pick<Account, 'role' | 'id'>): number[] {
    this.#forgetOld();
    const isGone = ({ accounts, isRemoved }: Gone) => (role === 'admin' ? isRemoved : accounts.has(id));
    return this.#gone.filter(isGone).map(({ number }) => number);
  }

  /** All that there are, the oldest first. */
  #begin(): void {
    const byAge = (a: ListedTorrent, b: ListedTorrent) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1);
    for (const { id } of [...this.deps.library.all].sort(byAge)) this.#give(id);
  }

  #give(id: TorrentId): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#dropStale();
    const number = ++this.#last;
    this.#numbers.set(id, number);
    this.#ids.set(number, id);
    return number;
  }

  #take(id: TorrentId): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#ids.delete(number);
    const torrent = this.deps.library.find(id);
    if (torrent) this.#noteGone(number, [...sharesByAccount(torrent).keys()], true);
  }

  /** A share that has ended, or was taken back, is for its account a torrent that is gone. */
  #noteLosses(facts: ListedTorrent): void {
    const [before, number] = [this.deps.library.find(facts.id), this.#numbers.get(facts.id)];
    if (!before || number === undefined) return;
    const [had, have] = [sharesByAccount(before), sharesByAccount(facts)];
    const lost = [...had.keys()].filter((account) => !have.has(account));
    if (lost.length > 0) this.#noteGone(number, lost, false);
  }

  #noteGone(number: number, accounts: readonly AccountId[], isRemoved: boolean): void {
    this.#forgetOld();
    if (this.#gone.length >= MAX_GONE) this.#gone.shift();
    this.#gone.push({ number, atMs: this.deps.now(), accounts: new Set(accounts), isRemoved });
  }

  #forgetOld(): void {
    const since = this.deps.now() - LATELY_MS;
    const first = this.#gone.findIndex(({ atMs }) => atMs >= since);
    if (first !== 0) this.#gone = first < 0 ? [] : this.#gone.slice(first);
  }

  #dropStale(): void {
    const { library } = this.deps;
    const torrents = library.visibleTo({ role: 'admin', id: ADMIN_ACCOUNT_ID }).size;
    if (this.#numbers.size <= 2 * torrents + MAX_STALE) return;
    for (const [id, number] of this.#numbers) {
      if (library.find(id)) continue;
      this.#numbers.delete(id);
      this.#ids.delete(number);
    }
  }
}
