// What was moved when, as each account may know it: its own totals, its part of categories and trackers, and torrents in
// its sight, from the moment its share of them began. Administrators see all accounts together, and each by itself.
import type { HistoryDto, HistoryQuery, TrafficDto, TrafficQuery } from '../../../shared-protocol/dto/history.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Ever, Moved, TrafficHistory } from '../../../storage/traffic-history.js';
import { notFound, RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import type { Accounts } from '../accounts/accounts.js';
import type { Library } from '../library/library.js';
import { parseTorrentId } from '../library/torrent-id.js';
import { notBefore, rangeDto, rangeOf, type RangeGiven } from './range.js';
import { POINT_S } from '../../../storage/traffic-history.js';
import { memberPrefix, memberSeries, torrentSeries, totalSeries, type Grouping, type Scope } from './series-name.js';
import type { TrafficRecorder } from './recorder.js';

/** Series in one answer, the largest. */
const MAX_SERIES = 1_000;

export interface HistoryDeps {
  readonly store: Pick<TrafficHistory, 'points' | 'sums' | 'names' | 'ever'>;
  readonly recorder: Pick<TrafficRecorder, 'settle'>;
  readonly library: Pick<Library, 'find' | 'accessOf' | 'shownTo' | 'visibleTo'>;
  readonly accounts: Pick<Accounts, 'all'>;
  /** Unix seconds. */
  readonly now: () => number;
}

export class History {
  constructor(private readonly deps: HistoryDeps) {}

  /** One series. @throws RequestError `FORBIDDEN`, `NOT_FOUND`, `BODY_INVALID` */
  async history(account: Account, query: HistoryQuery): Promise<HistoryDto> {
    const { store, recorder, now } = this.deps;
    const asked = rangeOf(query, now());
    const { series, range } = this.#series(account, query, asked);
    await recorder.settle();
    const points = await store.points(series, range.resolution, range);
    const step = POINT_S[range.resolution];
    const total = { down: 0, up: 0 };
    for (const { down, up } of points) {
      total.down += down;
      total.up += up;
    }
    return {
      ...rangeDto(asked),
      total,
      points: points.map(({ point, down, up }) => ({ at: point * step, down, up })),
    };
  }

  /** All that was ever moved; null: nothing. */
  async ever(account: Account): Promise<Ever | null> {
    await this.deps.recorder.settle();
    return this.deps.store.ever(totalSeries(this.scopeOf(account)));
  }

  /** Sums of all series of a kind. @throws RequestError `FORBIDDEN`, `NOT_FOUND` */
  async traffic(account: Account, query: TrafficQuery): Promise<TrafficDto> {
    const { store, recorder, now } = this.deps;
    const range = rangeOf(query, now());
    const ids = this.#members(account, query);
    await recorder.settle();
    const sums = await store.sums(ids.keys(), range.resolution, range);
    const series = [...sums].map(([name, moved]) => ({ id: ids.get(name) ?? '', ...moved }));
    return { ...rangeDto(range), series: series.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MAX_SERIES) };
  }

  #series(account: Account, { by = 'total', id, account: of }: HistoryQuery, range: RangeGiven) {
    if (by === 'torrent') return this.#torrent(account, id ?? '', range);
    if (by === 'account') return { series: totalSeries(this.#account(account, id ?? String(account.id))), range };
    const scope = this.scopeOf(account, of);
    if (by === 'total') return { series: totalSeries(scope), range };
    if (id === undefined) throw new RequestError('BODY_INVALID', 'id: required');
    return { series: memberSeries(scope, by, id), range };
  }

  /** An account learns nothing of what was done with a torrent before its share of it began. */
  #torrent(account: Account, named: string, range: RangeGiven): { series: string; range: RangeGiven } {
    const { library } = this.deps;
    const parsed = parseTorrentId(named);
    const torrent = parsed.kind === 'id' ? library.find(parsed.id) : undefined;
    if (account.role === 'admin') {
      if (!torrent) throw notFound('torrent');
      return { series: torrentSeries(torrent.id), range };
    }
    if (!torrent || library.accessOf(account, torrent) === null) throw new RequestError('FORBIDDEN');
    const { addedAt } = library.shownTo(account, torrent);
    return { series: torrentSeries(torrent.id), range: torrent.holders ? notBefore(range, addedAt) : range };
  }

  /** The names of all series of the kind that the account may see, and their ids. */
  #members(account: Account, { by, account: of }: TrafficQuery): Map<string, string> {
    if (by === 'account') return this.#accounts(account);
    const scope = this.scopeOf(account, of);
    if (by === 'torrent') return this.#torrents(account, scope);
    return this.#grouped(scope, by);
  }

  #accounts(account: Account): Map<string, string> {
    const shown = account.role === 'admin' ? this.deps.accounts.all : [account];
    return new Map(shown.map(({ id }) => [totalSeries(id), String(id)]));
  }

  /** Sums of one that several hold would tell what was moved before the account had a share: only `history` has those. */
  #torrents(account: Account, scope: Scope): Map<string, string> {
    const { library } = this.deps;
    const viewer = scope === 'all' ? account : (this.#find(scope) ?? account);
    const visible = [...library.visibleTo(viewer)];
    const shown = account.role === 'admin' ? visible : visible.filter(({ own }) => !own);
    return new Map(shown.map(({ id }) => [torrentSeries(id), id]));
  }

  #grouped(scope: Scope, by: Grouping): Map<string, string> {
    const prefix = memberPrefix(scope, by);
    return new Map(this.deps.store.names(prefix).map((name) => [name, name.slice(prefix.length)]));
  }

  /** The account, or all of them, whose figures are asked for. @throws RequestError `FORBIDDEN`, `NOT_FOUND` */
  scopeOf(account: Account, of?: string): Scope {
    if (of !== undefined) return this.#account(account, of);
    return account.role === 'admin' ? 'all' : account.id;
  }

  /** @throws RequestError `FORBIDDEN` for another account's than one's own, whether there is such an account or not */
  #account(account: Account, named: string): AccountId {
    if (account.role !== 'admin' && named !== String(account.id)) throw new RequestError('FORBIDDEN');
    const found = /^\d{1,15}$/.test(named) ? this.#find(Number(named)) : undefined;
    if (!found) throw notFound('user');
    return found.id;
  }

  #find(id: number): Account | undefined {
    return this.deps.accounts.all.find((account) => account.id === id);
  }
}

function sizeOf({ down, up }: Moved): number {
  return down + up;
}
