// Names of the series that are counted. What is of an account is counted by itself besides what is of all, so that an
// account is shown its own part of a category or of a tracker and nothing of what others do there. Pure.
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';

/** An account, or all of them. */
export type Scope = AccountId | 'all';

/** Members of a scope that have a series each. Ids: of a category, decimal; of a tracker, its host; empty for none. */
export type Grouping = 'category' | 'tracker';

/** Stands for the members beyond as many as have series of their own; no id and no host is like it. */
export const OTHERS = '*';

const LETTER: { readonly [By in Grouping]: string } = { category: 'c', tracker: 'h' };
/** Hosts in particular are cut: a key of the store holds no more than 1,978 bytes. */
const MAX_ID_CHARS = 255;

export function totalSeries(scope: Scope): string {
  return `${TOTAL_PREFIX}${scope}`;
}

const TOTAL_PREFIX = 's/';

/** Whether the series is one of those of which most is kept. */
export function isTotalSeries(series: string): boolean {
  return series.startsWith(TOTAL_PREFIX);
}

export function torrentSeries(id: TorrentId): string {
  return `${TORRENT_PREFIX}${id}`;
}

export const TORRENT_PREFIX = 't/';

export function memberSeries(scope: Scope, by: Grouping, id: string): string {
  return `${memberPrefix(scope, by)}${id.slice(0, MAX_ID_CHARS)}`;
}

export function memberPrefix(scope: Scope, by: Grouping): string {
  return `${LETTER[by]}/${scope}/`;
}

/** The scope, the kind and the id of a member's series; null for one that is none. */
export function memberOf(
  series: string,
): { readonly prefix: string; readonly kind: string; readonly id: string } | null {
  const [kind = '', scope = ''] = series.split('/', 2);
  if (!Object.values(LETTER).includes(kind)) return null;
  const prefix = `${kind}/${scope}/`;
  return { prefix, kind, id: series.slice(prefix.length) };
}

export function isOfAll(prefix: string): boolean {
  return prefix.endsWith('/all/');
}
