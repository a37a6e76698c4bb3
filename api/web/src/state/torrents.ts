// All torrents that the account may see, as of the last tick. Rows of the list read one torrent each, so a tick wakes
// only the rows that are on the screen and have changed.
import { batch, createMemo, createSignal, onCleanup, type Accessor, type Setter } from 'solid-js';
import type { Torrent, TorrentChanges, TorrentPatch } from '../live/messages.js';
import { Facets, type Narrowing } from './facets.js';
import { patched, patchInPlace } from './patched.js';

interface Watched {
  readonly torrent: Accessor<Torrent | undefined>;
  readonly set: Setter<Torrent | undefined>;
  watchers: number;
}

export class Torrents {
  readonly #byId = new Map<string, Torrent>();
  readonly #watched = new Map<string, Watched>();
  readonly #facets = new Facets();
  readonly #changes = createSignal<readonly string[]>([], { equals: false });
  readonly #isLoaded = createSignal(false);
  readonly #listeners = new Set<(changed: readonly string[]) => void>();

  /** All of them. Torrents that are not watched change in place: who keeps one for longer than a tick watches it. */
  get all(): ReadonlyMap<string, Torrent> {
    return this.#byId;
  }

  /** Whether the first tick has come. */
  get isLoaded(): boolean {
    return this.#isLoaded[0]();
  }

  /** The ids of the last tick's changes; reading it is waiting for the next. */
  get changes(): readonly string[] {
    return this.#changes[0]();
  }

  /** The facets of the last tick. Reading them in a component is waiting for the next. */
  get facets(): Pick<Facets, 'count' | 'shown' | 'trackerHosts'> {
    this.#changes[0]();
    return this.#facets;
  }

  /** Counts anew what is shown; who reads the facets has to know of it. */
  narrow(narrowing: Narrowing): void {
    this.#facets.narrow(narrowing);
  }

  /** Told of each tick before anything on the screen is. */
  onChanges(listener: (changed: readonly string[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A signal of one torrent; undefined when it is not there. Each `watch` is ended by a `forget`. */
  watch(id: string): Accessor<Torrent | undefined> {
    let watched = this.#watched.get(id);
    if (!watched) {
      const [torrent, set] = createSignal(this.#byId.get(id));
      this.#watched.set(id, (watched = { torrent, set, watchers: 0 }));
    }
    watched.watchers++;
    return watched.torrent;
  }

  /** Ends a `watch`: the signal goes with its last watcher. */
  forget(id: string): void {
    const watched = this.#watched.get(id);
    if (watched && --watched.watchers === 0) this.#watched.delete(id);
  }

  apply({ added, patches, removed }: TorrentChanges): void {
    batch(() => {
      const changed = [...removed];
      for (const torrent of added) {
        this.#set(torrent.id, torrent);
        changed.push(torrent.id);
      }
      for (const patch of patches) {
        const torrent = this.#byId.get(patch.id);
        if (!torrent) continue;
        this.#patch(torrent, patch);
        // The text by which it is kept, not another that is the same: maps find it at once.
        changed.push(torrent.id);
      }
      for (const id of removed) this.#set(id, undefined);
      for (const listener of this.#listeners) listener(changed);
      this.#isLoaded[1](true);
      if (changed.length > 0) this.#changes[1](changed);
    });
  }

  #patch(torrent: Torrent, patch: TorrentPatch): void {
    if (this.#watched.has(torrent.id)) return this.#set(torrent.id, patched(torrent, patch));
    patchInPlace(torrent, patch);
    this.#facets.set(torrent);
  }

  #set(id: string, torrent: Torrent | undefined): void {
    if (torrent) {
      this.#byId.set(id, torrent);
      this.#facets.set(torrent);
    } else {
      this.#byId.delete(id);
      this.#facets.delete(id);
    }
    this.#watched.get(id)?.set(torrent);
  }
}

/** In a component: the torrent of whichever id it is then, for as long as the component is there. */
export function watchTorrent(torrents: Torrents, id: Accessor<string>): Accessor<Torrent | undefined> {
  const watched = createMemo(() => {
    const now = id();
    onCleanup(() => torrents.forget(now));
    return torrents.watch(now);
  });
  return () => watched()();
}
