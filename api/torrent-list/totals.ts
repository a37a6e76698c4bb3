// What some torrents are together, in numbers (docs/api.md, GlobalStats).
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { TorrentStats } from '../../shared-protocol/stats-table.js';
import { hasFlag } from '../services/library/torrent-dto.js';

/** The numbers of a torrent that totals are made of. */
export type CountedStats = Readonly<Pick<TorrentStats, 'flags' | 'downloadRate' | 'uploadRate' | 'peers'>>;

/** Sums over torrents, counted one by one or chunk by chunk. */
export class Totals {
  #torrents = 0;
  #active = 0;
  #seeding = 0;
  #downloadRate = 0;
  #uploadRate = 0;
  #peers = 0;

  /** Counts one torrent. */
  count(stats: CountedStats): void {
    this.#torrents++;
    if (hasFlag(stats, 'completed')) this.#seeding++;
    else if (!hasFlag(stats, 'paused')) this.#active++;
    this.#downloadRate += Math.round(stats.downloadRate);
    this.#uploadRate += Math.round(stats.uploadRate);
    this.#peers += stats.peers;
  }

  /** Adds the sums over other torrents. */
  add(other: Totals): void {
    this.#torrents += other.#torrents;
    this.#active += other.#active;
    this.#seeding += other.#seeding;
    this.#downloadRate += other.#downloadRate;
    this.#uploadRate += other.#uploadRate;
    this.#peers += other.#peers;
  }

  toDto(): GlobalStats {
    return {
      total_torrents: this.#torrents,
      active_torrents: this.#active,
      seeding_torrents: this.#seeding,
      total_download_rate: this.#downloadRate,
      total_upload_rate: this.#uploadRate,
      total_peers: this.#peers,
    };
  }
}
