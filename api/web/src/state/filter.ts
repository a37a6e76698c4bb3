// Which torrents the list shows: what is chosen at the side and what is typed into the search. Of several choices of a
// kind one has to hold, of each kind; none of the excluded ones may. Pure.
import type { Torrent } from '../live/messages.js';
import { bitsOf, STATE_FILTERS, statesOf, type StateFilter } from './state-filter.js';

/**
 * A choice: of labels 0 is those without any, and an empty tracker is none. A category is chosen with what is below it;
 * one that ends with a slash is a level that is no category itself. Of servers 0 is this one.
 */
export type FacetKey =
  | `state:${StateFilter}`
  | `category:${number | `${string}/`}`
  | `tag:${number}`
  | `tracker:${string}`
  | `server:${number}`;
export type FacetKind = 'state' | 'category' | 'tag' | 'tracker' | 'server';

export const FACET_KINDS: readonly FacetKind[] = ['state', 'category', 'tag', 'tracker', 'server'];

export interface Filter {
  readonly only: readonly FacetKey[];
  readonly not: readonly FacetKey[];
  readonly search: string;
}

export const NO_FILTER: Filter = { only: [], not: [], search: '' };

/** `also`: besides what is chosen, or no more. `not`: excluded, or no more. */
export type Choosing = 'only' | 'also' | 'not';

/** Returns the filter after a choice; what was the only one of its kind before is taken back. */
export function choose(filter: Filter, key: FacetKey, how: Choosing): Filter {
  const without = (keys: readonly FacetKey[]) => keys.filter((other) => other !== key);
  const toggled = (keys: readonly FacetKey[]) => (keys.includes(key) ? without(keys) : [...keys, key]);
  switch (how) {
    case 'only': {
      const others = filter.only.filter((other) => kindOf(other) !== kindOf(key));
      const isAlone = filter.only.includes(key) && filter.only.length === others.length + 1;
      return { ...filter, only: isAlone ? others : [...others, key], not: without(filter.not) };
    }
    case 'also':
      return { ...filter, only: toggled(filter.only), not: without(filter.not) };
    case 'not':
      return { ...filter, only: without(filter.only), not: toggled(filter.not) };
  }
}

/** Returns the filter without any choice of that kind. */
export function withoutKind(filter: Filter, kind: FacetKind): Filter {
  const others = (keys: readonly FacetKey[]) => keys.filter((key) => kindOf(key) !== kind);
  return { ...filter, only: others(filter.only), not: others(filter.not) };
}

export function kindOf(key: FacetKey): FacetKind {
  return key.slice(0, key.indexOf(':')) as FacetKind; // by the type of the keys
}

export function valueOf(key: FacetKey): string {
  return key.slice(key.indexOf(':') + 1);
}

/** Makes a key of what may be any text; null when there is no such choice. */
export function facetKey(kind: FacetKind, value: string): FacetKey | null {
  if (kind === 'tracker') return `tracker:${value}`;
  if (kind === 'state') {
    const state = STATE_FILTERS.find((filter) => filter === value && filter !== 'all');
    return state ? `state:${state}` : null;
  }
  if (/^\d{1,9}$/.test(value)) return `${kind}:${Number(value)}`;
  return kind === 'category' && value.length > 1 && value.endsWith('/') ? `category:${value.slice(0, -1)}/` : null;
}

export type Passes = (torrent: Torrent) => boolean;

/** Finds the labels of a choice: itself, those of its name on other servers, and what is below a category. */
export type LabelIds = (kind: 'category' | 'tag', value: string) => readonly number[];

/** Whether a torrent passes what is chosen and excluded, by kind; kinds of which nothing is are left out. */
export function compileKinds({ only, not }: Filter, labelIds: LabelIds): ReadonlyMap<FacetKind, Passes> {
  const compiled = new Map<FacetKind, Passes>();
  for (const kind of FACET_KINDS) {
    const holdsOf = (keys: readonly FacetKey[]) => {
      const values = keys.filter((key) => kindOf(key) === kind).map(valueOf);
      return values.length === 0 ? null : HOLDS[kind](values, labelIds);
    };
    const [isWanted, isExcluded] = [holdsOf(only), holdsOf(not)];
    if (!isWanted && !isExcluded) continue;
    compiled.set(kind, (torrent) => (isWanted?.(torrent) ?? true) && !isExcluded?.(torrent));
  }
  return compiled;
}

const HOLDS: Readonly<Record<FacetKind, (values: readonly string[], labelIds: LabelIds) => Passes>> = {
  state: (values) => {
    const states = bitsOf(values);
    return (torrent) => (statesOf(torrent) & states) !== 0;
  },
  category: (values, labelIds) => {
    const ids = new Set(values.flatMap((value) => labelIds('category', value)));
    return ({ category_id }) => ids.has(category_id ?? 0);
  },
  tag: (values, labelIds) => {
    const ids = new Set(values.flatMap((value) => labelIds('tag', value)));
    return ({ tags }) => (tags.length === 0 ? ids.has(0) : tags.some(({ id }) => ids.has(id)));
  },
  tracker: (values) => {
    const hosts = new Set(values);
    return ({ trackerHosts }) =>
      trackerHosts.length === 0 ? hosts.has('') : trackerHosts.some((host) => hosts.has(host));
  },
  server: (values) => {
    const ids = new Set(values.map(Number));
    return ({ server_id }) => ids.has(server_id ?? 0);
  },
};
