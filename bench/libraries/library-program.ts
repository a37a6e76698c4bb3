// What the scale scenario needs of a program that holds many torrents: started again and again in the same folder, given
// torrents, asked for all of them. Each driver starts it with its own settings; none has a DHT or neighbours.
import type { TorrentSet } from '../support/torrent-set.js';

export const LIBRARY_NAMES = ['swarmd', 'transmission', 'qbittorrent'] as const;
export type LibraryName = (typeof LIBRARY_NAMES)[number];

export interface LibraryProgram {
  readonly name: LibraryName;
  /** What it is started with, for the report. */
  readonly settings: string;
  /** Null where it is not installed. */
  version(): Promise<string | null>;
  /** In a folder of its own, empty at first; resolves when the process exists, which need not answer yet. */
  start(home: string, set: TorrentSet): Promise<RunningLibrary>;
}

export interface RunningLibrary {
  readonly pid: number;
  /** Without a slash at the end. */
  readonly url: string;
  /** @throws Error when the process has ended */
  check(): void;
  /** One of the set, by its number. */
  add(index: number): Promise<void>;
  /** What a user's program asks for to show all of them. @throws Error when nobody answers */
  list(): Promise<Listing>;
  /** How many have everything and verify nothing. */
  complete(): Promise<number>;
  /** In order. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface Listing {
  readonly bytes: number;
  /** How many torrents are in it: for when the time has been taken. */
  count(): number;
}
