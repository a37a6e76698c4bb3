// The places that are claimed: those of torrents, and those that are kept for one until it lies there. Owns where save paths
// really lead, as they did when they were first used: a claim is taken back as it was made.
import type { TorrentOverlap } from '../../shared-protocol/commands/shares.js';
import type { PathLooks } from '../disk/types.js';
import type { PlaceRow } from './folders-to-try.js';
import { namesOf, Places, type Place } from './places.js';
import type { ClaimingTorrent } from './types.js';

/** A place that is taken until `release`; by then the torrent claims it itself, or is not to be. */
export interface Reservation {
  /** Nothing while the metadata is unknown. */
  readonly place: PlaceRow;
  release(): void;
}

export class ClaimedPlaces {
  readonly #places = new Places<ClaimingTorrent>();
  /** By save path. */
  readonly #directories = new Map<string, string>();

  constructor(private readonly looks: Pick<PathLooks, 'realPath'>) {}

  /** Before anything at the save path is claimed. */
  async learn(savePath: string): Promise<string> {
    const known = this.#directories.get(savePath);
    return known ?? this.#keep(savePath, await this.looks.realPath(savePath));
  }

  /** The same for torrents that are there already: where their save path leads nowhere just then, it is taken by its name. */
  async learnStored(savePath: string): Promise<void> {
    await this.learn(savePath).catch(() => this.#keep(savePath, savePath));
  }

  /** The real location of a save path that has been learnt. */
  realPath(savePath: string): string {
    return this.#directories.get(savePath) ?? savePath;
  }

  /** null while its save path has not been learnt, or its metadata is unknown. */
  placeOf(torrent: ClaimingTorrent): Place | null {
    const directory = this.#directories.get(torrent.savePath);
    return directory === undefined || torrent.topNames === null ? null : { directory, names: namesOf(torrent) };
  }

  add(torrent: ClaimingTorrent): void {
    const place = this.placeOf(torrent);
    if (place) this.#places.add(place, torrent);
  }

  remove(torrent: ClaimingTorrent): void {
    const place = this.placeOf(torrent);
    if (place) this.#places.remove(place, torrent);
  }

  /** Takes the place of a claim that changes no more, until `release`. `row`: what is stored of it. */
  reserve(claim: ClaimingTorrent, row: PlaceRow = {}): Reservation {
    const place = this.placeOf(claim);
    if (place) this.#places.add(place, claim);
    return { place: row, release: () => place && this.#places.remove(place, claim) };
  }

  /** Others whose place touches that of this one. */
  neighbours(torrent: ClaimingTorrent): Set<ClaimingTorrent> {
    const place = this.placeOf(torrent);
    const found = place ? [...this.#places.overlapping(place)] : [];
    return new Set(found.filter(({ id }) => id !== torrent.id));
  }

  /** Whatever claims something at the place, around it or inside of it. */
  overlapping(place: Place): ClaimingTorrent[] {
    return [...this.#places.overlapping(place)];
  }

  /** Whatever claims a folder that the directory is, or lies in. */
  around(directory: string): ClaimingTorrent[] {
    return [...this.#places.around(directory)];
  }

  /** Torrents of different accounts that claim the same. */
  overlaps(): TorrentOverlap[] {
    const found = new Map<string, TorrentOverlap>();
    for (const [one, other, path] of this.#places.touching()) {
      const both = `${one.id} ${other.id}`;
      if (one.ownerId !== other.ownerId && !found.has(both)) found.set(both, { one: one.id, other: other.id, path });
    }
    return [...found.values()];
  }

  /** The first of several looks at a time counts: something may have been claimed by it when the others come. */
  #keep(savePath: string, directory: string): string {
    const kept = this.#directories.get(savePath) ?? directory;
    this.#directories.set(savePath, kept);
    return kept;
  }
}
