// Scrapes for torrents whose announce reply holds no seeds and peers (BEP 48, BEP 15): those of one tracker URL
// gather for a moment and are asked together. A batch lives from the first wish to the reply, in the due queue.
import { abortForMany } from '../../shared-protocol/abort-for-many.js';
import { maskSaid } from '../../shared-protocol/masking.js';
import type { Clock, Log } from '../environment.js';
import { clientFor } from './attempts.js';
import type { TrackerClient } from './client.js';
import { SCRAPE_GATHER_MS, SCRAPE_MAX_HASHES, SCRAPE_RETRY_MS } from './constants.js';
import type { DueItem } from './due-queue.js';
import type { Endpoint } from './endpoints.js';
import type { TrackerRecord } from './records.js';
import type { AnnounceIdentity } from './types.js';

/** After every kind of announce. */
const SCRAPE_PRIORITY = 4;

export interface ScrapeBatch extends DueItem {
  readonly kind: 'scrape';
  readonly endpoint: Endpoint;
  readonly trackers: Set<TrackerRecord>;
  /** Whether it is of torrents that may reach inside for this tracker, or of those that may not. */
  readonly mayReachInside: boolean;
}

interface ScrapeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly schedule: (batch: ScrapeBatch, dueMs: number, priority: number) => void;
  readonly finished: (batch: ScrapeBatch) => void;
  readonly identity: () => AnnounceIdentity;
  readonly http: TrackerClient;
  readonly udp: TrackerClient;
}

export class ScrapeBatches {
  readonly #gathering = { outside: new Map<Endpoint, ScrapeBatch>(), inside: new Map<Endpoint, ScrapeBatch>() };
  /** Trackers that would not be scraped, until when. */
  readonly #pausedUntilMs = new WeakMap<Endpoint, number>();
  readonly #abort = abortForMany();

  constructor(private readonly deps: ScrapeDeps) {}

  want(tracker: TrackerRecord): void {
    const { endpoint } = tracker;
    const nowMs = this.deps.clock.nowMs();
    if (this.#abort.signal.aborted || nowMs < (this.#pausedUntilMs.get(endpoint) ?? -Infinity)) return;
    const mayReachInside = mayReachInsideFor(tracker);
    const gathering = this.#gathering[mayReachInside ? 'inside' : 'outside'];
    let batch = gathering.get(endpoint);
    if (!batch) {
      batch = newBatch(tracker, mayReachInside);
      gathering.set(endpoint, batch);
      this.deps.schedule(batch, nowMs + SCRAPE_GATHER_MS, SCRAPE_PRIORITY);
    }
    batch.trackers.add(tracker);
    if (batch.trackers.size === SCRAPE_MAX_HASHES) {
      gathering.delete(endpoint);
      this.deps.schedule(batch, nowMs, SCRAPE_PRIORITY);
    }
  }

  /** Called by the due queue. */
  begin(batch: ScrapeBatch): boolean {
    const gathering = this.#gathering[batch.mayReachInside ? 'inside' : 'outside'];
    if (gathering.get(batch.endpoint) === batch) gathering.delete(batch.endpoint);
    const wanted = [...batch.trackers].filter(
      (tracker) => tracker.torrent.running && !tracker.detached && mayReachInsideFor(tracker) === batch.mayReachInside,
    );
    if (wanted.length === 0) return false;
    void this.#run(batch, wanted);
    return true;
  }

  /** Gives up everything under way; wishes are not heard any more. */
  close(): void {
    this.#abort.abort();
    this.#gathering.outside.clear();
    this.#gathering.inside.clear();
  }

  async #run(batch: ScrapeBatch, trackers: readonly TrackerRecord[]): Promise<void> {
    const { endpoint, account, mayReachInside } = batch;
    try {
      const request = {
        url: endpoint.url,
        infoHashes: trackers.map((tracker) => tracker.torrent.torrent.infoHash),
        identity: this.deps.identity(),
        account,
        mayReachInside,
      };
      const outcome = await clientFor(endpoint.transport, this.deps).scrape(request, this.#abort.signal);
      if (outcome.kind === 'failed') {
        this.deps.log.debug('scrape failed', {
          tracker: endpoint.host,
          reason: maskSaid(endpoint.url, outcome.message),
        });
        this.#pausedUntilMs.set(endpoint, this.deps.clock.nowMs() + SCRAPE_RETRY_MS);
        return;
      }
      for (const tracker of trackers) {
        const figures = outcome.files.get(tracker.torrent.torrent.infoHash);
        if (!figures) continue;
        tracker.seeds = figures.seeds;
        tracker.leechers = figures.leechers;
        tracker.downloaded = figures.downloaded;
        tracker.hasTold = true;
        tracker.torrent.torrent.onTrackersHeard();
      }
    } catch (thrown) {
      this.deps.log.error('bug: a tracker client threw', { tracker: endpoint.host, error: String(thrown) });
    } finally {
      this.deps.finished(batch);
    }
  }
}

function mayReachInsideFor({ torrent, endpoint }: TrackerRecord): boolean {
  return torrent.torrent.mayReachInside(endpoint.url);
}

/** Asked on behalf of the first that wants it. */
function newBatch({ endpoint, account }: TrackerRecord, mayReachInside: boolean): ScrapeBatch {
  return {
    kind: 'scrape',
    endpoint,
    trackers: new Set(),
    mayReachInside,
    host: endpoint.host,
    account,
    heapIndex: -1,
    dueMs: 0,
    priority: SCRAPE_PRIORITY,
  };
}
