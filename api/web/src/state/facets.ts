// How many torrents each choice of the side bar would show, kept up to date by what changes. Invariant: every torrent is
// counted once in each of the keys that `keysOf` names for it.
import type { Torrent } from '../live/messages.js';
import { isInState, STATE_FILTERS } from './filter.js';

export type FacetKey = `state:${string}` | `category:${number}` | `tag:${number}` | `tracker:${string}`;

export class Facets {
  readonly #counts = new Map<FacetKey, number>();
  readonly #keys = new Map<string, readonly FacetKey[]>();

  set(torrent: Torrent): void {
    this.delete(torrent.id);
    const keys = keysOf(torrent);
    this.#keys.set(torrent.id, keys);
    for (const key of keys) this.#add(key, 1);
  }

  delete(id: string): void {
    for (const key of this.#keys.get(id) ?? []) this.#add(key, -1);
    this.#keys.delete(id);
  }

  count(key: FacetKey): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Those that some torrent has, without the empty one, in the order of the alphabet. */
  get trackerHosts(): string[] {
    const hosts = [...this.#counts.keys()].filter((key) => key.startsWith('tracker:') && key !== 'tracker:');
    return hosts.map((key) => key.slice('tracker:'.length)).sort();
  }

  #add(key: FacetKey, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

function keysOf(torrent: Torrent): FacetKey[] {
  const { category_id, tags, trackerHosts } = torrent;
  return [
    ...STATE_FILTERS.filter((filter) => isInState(torrent, filter)).map((filter): FacetKey => `state:${filter}`),
    `category:${category_id ?? 0}`,
    ...(tags.length === 0 ? [{ id: 0 }] : tags).map(({ id }): FacetKey => `tag:${id}`),
    ...(trackerHosts.length === 0 ? [''] : trackerHosts).map((host): FacetKey => `tracker:${host}`),
  ];
}
