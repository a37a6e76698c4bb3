// A torrent's row in the stats table: rates and peers from its swarm, bytes from its ledger, flags from its state.
import { emptyStats, TORRENT_FLAGS, type StatsWriter, type TorrentStats } from '../../shared-protocol/stats-table.js';
import type { Ledger } from './ledger.js';
import type { TorrentFactsOfState } from './state.js';
import type { Swarm } from './swarm.js';

export interface StatsState extends TorrentFactsOfState {
  readonly sequential: boolean;
}

export class StatsRow {
  readonly row: number;
  readonly tag: number;
  readonly #stats: TorrentStats = emptyStats();
  #isReleased = false;

  constructor(private readonly writer: StatsWriter) {
    ({ row: this.row, tag: this.tag } = writer.allocate());
  }

  publish(state: StatsState, ledger: Ledger, swarm: Swarm | null): void {
    const stats = this.#stats;
    stats.peers = stats.seeds = stats.downloadRate = stats.uploadRate = 0;
    for (const peer of swarm?.peers.values() ?? []) {
      if (!peer.handshakeDone) continue;
      if (peer.webSeedUrl === null) {
        stats.peers++;
        if (peer.isSeed) stats.seeds++;
      }
      stats.downloadRate += peer.down.rate;
      stats.uploadRate += peer.up.rate;
    }
    stats.flags =
      (state.queued ? TORRENT_FLAGS.queued : 0) |
      (state.forceStart ? TORRENT_FLAGS.forceStart : 0) |
      (state.paused ? TORRENT_FLAGS.paused : 0) |
      (ledger.isComplete ? TORRENT_FLAGS.completed : 0) |
      (state.check !== 'none' ? TORRENT_FLAGS.verifying : 0) |
      (state.sequential ? TORRENT_FLAGS.sequential : 0) |
      (state.filesMissing ? TORRENT_FLAGS.filesMissing : 0);
    stats.bytesDone = ledger.progress.bytesDone;
    stats.wantedBytes = ledger.progress.wantedBytes;
    stats.wantedDone = ledger.progress.wantedDone;
    stats.totalDown = ledger.downloaded;
    stats.totalUp = ledger.uploaded;
    this.#write();
  }

  /** Of all numbers only this one: every torrent behind one that moves is told of its place. */
  setQueuePosition(position: number): void {
    this.#stats.queuePosition = position;
    this.#write();
  }

  release(): void {
    this.#isReleased = true;
    this.writer.release(this.row);
  }

  /** The row may be another torrent's by now. */
  #write(): void {
    if (!this.#isReleased) this.writer.write(this.row, this.#stats);
  }
}
