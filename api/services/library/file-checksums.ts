// CRC-32 of files of torrents, as archives have it. What is verified of a torrent never changes, so a checksum once worked
// out holds as long as there is the torrent; it is forgotten where there are too many, and worked out again.
import type { EngineEvent } from '../../../shared-protocol/events.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';

/** Checksums of all torrents together: about 20 MB. */
const MAX_CHECKSUMS = 200_000;

export class FileChecksums {
  /** By torrent and file index; the torrent that was asked for last comes last. */
  readonly #byTorrent = new Map<TorrentId, Map<number, number>>();
  #count = 0;

  get size(): number {
    return this.#count;
  }

  of(id: TorrentId, index: number): number | undefined {
    return this.#byTorrent.get(id)?.get(index);
  }

  learn(id: TorrentId, index: number, checksum: number): void {
    const known = this.#byTorrent.get(id) ?? new Map<number, number>();
    this.#byTorrent.delete(id);
    this.#byTorrent.set(id, known);
    if (!known.has(index)) this.#count++;
    known.set(index, checksum);
    for (const oldest of this.#byTorrent.keys()) {
      if (this.#count <= MAX_CHECKSUMS) return;
      this.#forget(oldest);
    }
  }

  handleEvent(event: EngineEvent): void {
    if (event.name === 'torrent.removed') this.#forget(event.payload.id);
  }

  #forget(id: TorrentId): void {
    this.#count -= this.#byTorrent.get(id)?.size ?? 0;
    this.#byTorrent.delete(id);
  }
}
