// A torrent's row in the stats table: rates and peers from its swarm, bytes from its ledger, flags from its state.
import { emptyStats, TORRENT_FLAGS, type StatsWriter, type TorrentStats } from '../../shared-protocol/stats-table.js';
import type { TorrentRow } from '../../storage/types.js';
import type { TorrentProgress } from './pieces/progress.js';
import type { SwarmHeard } from '../tracker/types.js';
import type { ActiveTimes } from './resume/active-times.js';
import type { TorrentFactsOfState } from './state.js';
import type { Swarm } from './swarm/swarm.js';

/** Filled and written within one call, for whichever torrent. */
const scratch: TorrentStats = emptyStats();

export class StatsRow {
  readonly row: number;
  readonly tag: number;
  #queuePosition = 0;
  #swarmSeeds = -1;
  #swarmLeechers = -1;
  #workingTracker = -1;
  #checkedPerMille = 0;
  #isReleased = false;

  constructor(private readonly writer: StatsWriter) {
    ({ row: this.row, tag: this.tag } = writer.allocate());
  }

  publish(
    state: TorrentFactsOfState,
    { sequential, firstLastFirst }: Pick<TorrentRow, 'sequential' | 'firstLastFirst'>,
    ledger: TorrentProgress,
    swarm: Swarm | null,
    times: ActiveTimes,
  ): void {
    if (this.#isReleased) return;
    const stats = scratch;
    stats.queuePosition = this.#queuePosition;
    stats.swarmSeeds = this.#swarmSeeds;
    stats.swarmLeechers = this.#swarmLeechers;
    stats.workingTracker = this.#workingTracker;
    stats.checkedPerMille = this.#checkedPerMille;
    stats.peers = stats.seeds = stats.downloadRate = stats.uploadRate = 0;
    stats.availabilityPerMille = -1;
    for (const peer of swarm?.peers.values() ?? []) {
      if (!peer.handshakeDone) continue;
      if (stats.availabilityPerMille < 0) stats.availabilityPerMille = swarm?.download?.picker.copiesPerMille() ?? -1;
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
      (sequential ? TORRENT_FLAGS.sequential : 0) |
      (firstLastFirst ? TORRENT_FLAGS.firstLastFirst : 0) |
      (state.filesMissing ? TORRENT_FLAGS.filesMissing : 0) |
      (state.moving ? TORRENT_FLAGS.moving : 0);
    stats.bytesDone = ledger.progress.bytesDone;
    stats.wantedBytes = ledger.progress.wantedBytes;
    stats.wantedDone = ledger.progress.wantedDone;
    stats.totalDown = ledger.downloaded;
    stats.totalUp = ledger.uploaded;
    stats.lastActivityAt = ledger.lastActivityAt;
    stats.activeSeconds = times.activeSeconds;
    stats.seedingSeconds = times.seedingSeconds;
    stats.countedSince = times.countedSince;
    this.writer.write(this.row, stats);
  }

  get queuePosition(): number {
    return this.#queuePosition;
  }

  /** Writes this number alone: every torrent behind one that moves is told of its place. */
  setQueuePosition(position: number): void {
    this.#queuePosition = position;
    if (!this.#isReleased) this.writer.writeSome(this.row, { queuePosition: position });
  }

  /** Writes what trackers tell alone. `trackers`: as people are told of them (`TorrentFacts.trackers`). */
  setHeard({ seeds, leechers, working }: SwarmHeard, trackers: TorrentRow['trackers']): void {
    this.#swarmSeeds = seeds;
    this.#swarmLeechers = leechers;
    this.#workingTracker = working.size === 0 ? -1 : trackers.flat().findIndex((url) => working.has(url));
    const { row, writer } = this;
    if (this.#isReleased) return;
    writer.writeSome(row, {
      swarmSeeds: seeds,
      swarmLeechers: leechers,
      workingTracker: this.#workingTracker,
    });
  }

  /** Writes how far its check is alone, in steps that are no news for each piece. `fraction`: of what is to be hashed. */
  setChecked(fraction: number): void {
    this.#checkedPerMille = Math.floor(fraction * 1000);
    if (!this.#isReleased) this.writer.writeSome(this.row, { checkedPerMille: this.#checkedPerMille });
  }

  release(): void {
    this.#isReleased = true;
    this.writer.release(this.row);
  }
}
