// One term of the search. What only looks like a field, as the colon in a name does, is a word. Pure.
import type { Torrent } from '../live/messages.js';
import { remainingBytes, seedingS } from './derived.js';
import { infoHashOf } from './row-id.js';
import type { CategoryNames } from './sort.js';
import { isInState, STATE_FILTERS, type StateFilter } from './state-filter.js';

export interface SearchDeps {
  readonly categoryName: CategoryNames;
  /** The name of a server that is not this one. */
  readonly serverName: (id: number) => string | null;
  readonly nowMs: number;
  /** Whether a text has a pattern in it, in capitals or not; null when it is no pattern. */
  readonly pattern: (source: string) => ((text: string) => boolean) | null;
}

type Holds = (torrent: Torrent) => boolean;

/** The word for those that have nothing in the field. */
export const NONE = 'none';

const TEXTS = {
  name: ({ name }) => [name],
  tag: ({ tags }) => tags.map(({ name }) => name),
  category: ({ category_id }, { categoryName }) => [categoryName(category_id) ?? ''].filter(Boolean),
  tracker: ({ trackerHosts }) => trackerHosts,
  path: ({ save_path }) => [save_path],
  hash: ({ id }) => [infoHashOf(id)],
  server: ({ server_id: id }, { serverName }) => (id === undefined ? [] : [serverName(id) ?? '']),
} satisfies Readonly<Record<string, (torrent: Torrent, deps: SearchDeps) => readonly string[]>>;

export type TextField = keyof typeof TEXTS;

/** The fields whose values are names, by what they may be called. */
export const TEXT_FIELDS: ReadonlyMap<string, TextField> = new Map<string, TextField>([
  ...(Object.keys(TEXTS) as TextField[]).map((name) => [name, name] as const),
  ['cat', 'category'],
]);

/** The fields whose values are words for what a torrent does or is. */
export const STATUS_FIELDS: ReadonlySet<string> = new Set(['is', 'status', 'state']);

/** Names of the fields, those that are asked for most first. */
export const FIELDS = ['tag', 'category', 'tracker', 'status', 'path', 'name', 'is', 'hash', 'server'] as const;

/** The words for what a torrent is, besides those for its state. */
type Kind = 'forced' | 'sequential' | 'private' | 'public' | 'incomplete';

export const FLAGS: Readonly<Record<Kind | StateFilter, Holds>> = {
  forced: ({ force_start }) => force_start,
  sequential: ({ sequential }) => sequential,
  private: (torrent) => torrent.private,
  public: (torrent) => !torrent.private,
  incomplete: ({ completed }) => !completed,
  ...(Object.fromEntries(
    STATE_FILTERS.map((state) => [state, (torrent: Torrent) => isInState(torrent, state)]),
  ) as Readonly<Record<StateFilter, Holds>>), // by each of them
};

const K = 1024;
const BYTES: Readonly<Record<string, number>> = { '': 1, k: K, m: K ** 2, g: K ** 3, t: K ** 4 };
const DAY_S = 86_400;
const AGES: Readonly<Record<string, number>> = {
  h: 3_600,
  '': DAY_S,
  d: DAY_S,
  w: 7 * DAY_S,
  m: 30 * DAY_S,
  y: 365 * DAY_S,
};
const PLAIN: Readonly<Record<string, number>> = { '': 1 };

interface Figure {
  readonly of: (torrent: Torrent, nowMs: number) => number;
  /** The factors of what may be written behind the number. */
  readonly units: Readonly<Record<string, number>>;
  /** The comparison that is asked for most. */
  readonly sign: '<' | '>';
}

export const FIGURES = {
  size: { of: ({ total_bytes }) => total_bytes, units: BYTES, sign: '>' },
  down: { of: ({ download_rate }) => download_rate, units: BYTES, sign: '>' },
  up: { of: ({ upload_rate }) => upload_rate, units: BYTES, sign: '>' },
  progress: { of: ({ progress }) => progress * 100, units: { '': 1, '%': 1 }, sign: '<' },
  ratio: { of: ({ ratio }) => ratio, units: PLAIN, sign: '<' },
  uploaded: { of: ({ total_up }) => total_up, units: BYTES, sign: '>' },
  downloaded: { of: ({ total_down }) => total_down, units: BYTES, sign: '>' },
  remaining: { of: remainingBytes, units: BYTES, sign: '<' },
  seeds: { of: ({ seeds }) => seeds, units: PLAIN, sign: '<' },
  /** One of which nobody counts the copies has neither few nor many. */
  availability: { of: ({ availability }) => availability ?? NaN, units: PLAIN, sign: '<' },
  peers: { of: ({ peers }) => peers, units: PLAIN, sign: '>' },
  /** For how long it has been here. */
  added: { of: ({ added_at }, nowMs) => nowMs / 1000 - added_at, units: AGES, sign: '<' },
  seeding: { of: seedingS, units: AGES, sign: '>' },
} satisfies Readonly<Record<string, Figure>>;

const COMPARES: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
};

/** Returns null for a pattern that is none. */
export function compileTerm(term: string, deps: SearchDeps): Holds | null {
  const [, source] = /^\/(.+)\/$/.exec(term) ?? [];
  if (source !== undefined) {
    const matches = deps.pattern(source);
    return matches && (({ name }) => matches(name));
  }
  return field(term, deps) ?? figure(term, deps) ?? word(unquoted(term));
}

function word(text: string): Holds {
  return ({ name, id }) => name.toLowerCase().includes(text) || infoHashOf(id).startsWith(text);
}

function field(term: string, deps: SearchDeps): Holds | null {
  const [, key = '', value = ''] = /^([a-z]+):(.+)$/i.exec(term) ?? [];
  const name = key.toLowerCase();
  const wanted = unquoted(value);
  if (STATUS_FIELDS.has(name)) return ownOf<Holds>(FLAGS, wanted) ?? null;
  const asked = TEXT_FIELDS.get(name);
  if (!asked) return null;
  const texts: (torrent: Torrent, deps: SearchDeps) => readonly string[] = TEXTS[asked];
  if (value.toLowerCase() === NONE) return (torrent) => texts(torrent, deps).length === 0;
  return (torrent) => texts(torrent, deps).some((text) => text.toLowerCase().includes(wanted));
}

function figure(term: string, { nowMs }: SearchDeps): Holds | null {
  const [, name = '', sign = '', number = '', unit = ''] =
    /^([a-z]+)([<>]=?|=)(\d+(?:\.\d+)?)([a-z%]?)(?:i?b)?$/.exec(term.toLowerCase()) ?? [];
  const known = ownOf<Figure>(FIGURES, name);
  const factor = known && ownOf(known.units, unit);
  const compare = ownOf(COMPARES, sign);
  if (!known || factor === undefined || !compare) return null;
  const bound = Number(number) * factor;
  return (torrent) => compare(known.of(torrent, nowMs), bound);
}

function unquoted(text: string): string {
  return text.replace(/^"([^"]*)"?$/, '$1').toLowerCase();
}

/** Looks up what people type, which may be the name of something that every object has. */
function ownOf<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
