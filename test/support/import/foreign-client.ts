// Another program with a library, for an import: what it says of its torrents before it is stopped, and where its state lies.
import type { Program } from '../peers/index.js';
import type { OwnedTorrent } from './library.js';

export interface ForeignFacts {
  /** Bytes of wanted pieces that it has. */
  readonly bytesDone: number;
  readonly isPaused: boolean;
  /** Unix seconds. */
  readonly addedAt: number;
}

export interface ForeignState {
  readonly path: string;
  /** By info hash; without magnets. */
  readonly facts: ReadonlyMap<string, ForeignFacts>;
  /** The same program on the same state afterwards. Resolves once it has so many torrents. */
  loadAgain(count: number): Promise<void>;
}

export interface ForeignClient {
  readonly program: Program;
  readonly from: string;
  /** It takes names on disk as their authors wrote them. */
  readonly keepsOddNames: boolean;
  /** That it gives to the torrent `many`; null: it has none, or names that are tags here. */
  readonly category: string | null;
  /** Runs it with the library below `downloads`, and stops it. `home`: an empty directory. */
  collect(home: string, downloads: string, torrents: readonly OwnedTorrent[]): Promise<ForeignState>;
}
