// A page of qBittorrent as far as `sync/maindata` goes: it keeps what it was told, and applies what changed.

type Objects = Record<string, Record<string, unknown>>;

export interface MainDataAnswer {
  readonly rid: number;
  readonly full_update?: boolean;
  readonly torrents?: Objects;
  readonly torrents_removed?: readonly string[];
  readonly categories?: Objects;
  readonly categories_removed?: readonly string[];
  readonly tags?: readonly string[];
  readonly tags_removed?: readonly string[];
  readonly trackers?: Record<string, readonly string[]>;
  readonly trackers_removed?: readonly string[];
  readonly server_state?: Record<string, unknown>;
}

export class MainDataPage {
  rid = 0;
  #torrents: Objects = {};
  #categories: Objects = {};
  #tags = new Set<string>();
  #trackers: Record<string, readonly string[]> = {};
  #state: Record<string, unknown> = {};

  apply(answer: MainDataAnswer): void {
    this.rid = answer.rid;
    if (answer.full_update) {
      [this.#torrents, this.#categories, this.#trackers, this.#state] = [{}, {}, {}, {}];
      this.#tags = new Set();
    }
    for (const [hash, fields] of Object.entries(answer.torrents ?? {})) {
      this.#torrents[hash] = { ...this.#torrents[hash], ...fields };
    }
    for (const hash of answer.torrents_removed ?? []) delete this.#torrents[hash];
    Object.assign(this.#categories, answer.categories);
    for (const name of answer.categories_removed ?? []) delete this.#categories[name];
    for (const tag of answer.tags ?? []) this.#tags.add(tag);
    for (const tag of answer.tags_removed ?? []) this.#tags.delete(tag);
    Object.assign(this.#trackers, answer.trackers);
    for (const url of answer.trackers_removed ?? []) delete this.#trackers[url];
    Object.assign(this.#state, answer.server_state);
  }

  /** All it shows, in an order of its own. */
  get shown(): object {
    const trackers = Object.entries(this.#trackers).map(([url, hashes]) => [url, [...hashes].sort()] as const);
    return {
      torrents: this.#torrents,
      categories: this.#categories,
      tags: [...this.#tags].sort(),
      trackers: Object.fromEntries(trackers),
      server_state: this.#state,
    };
  }
}
