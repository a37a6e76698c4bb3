// Scrapes for torrents whose announce reply holds no seeds and peers (BEP 48, BEP 15): those of one tracker URL
// gather for a moment and are asked together. A batch lives from the first wish to the reply, in the due queue.
import { maskSaid } from '../../shared-protocol/masking.js';
import type { Clock, Log } from '../ports.js';
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
}

interface ScrapeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly schedule: (batch: ScrapeBatch, dueMs: number, priority: number) => void;
  readonly finished: (host: string) => void;
  readonly identity: () => AnnounceIdentity;
  readonly http: TrackerClient;
  readonly udp: TrackerClient;
}

export class ScrapeBatches {
  readonly #gathering = new Map<Endpoint, ScrapeBatch>();
  /** Trackers that would not be scraped, until when. */
  readonly #pausedUntilMs = new WeakMap<Endpoint, number>();
  readonly #abort = new AbortController();

  constructor(private readonly deps: ScrapeDeps) {}

  want(tracker: TrackerRecord): void {
    const { endpoint } = tracker;
    const nowMs = this.deps.clock.nowMs();
    if (this.#abort.signal.aborted || nowMs < (this.#pausedUntilMs.get(endpoint) ?? -Infinity)) return;
    let batch = this.#gathering.get(endpoint);
    if (!batch) {
      batch = newBatch(endpoint);
      this.#gathering.set(endpoint, batch);
      this.deps.schedule(batch, nowMs + SCRAPE_GATHER_MS, SCRAPE_PRIORITY);
    }
    batch.trackers.add(tracker);
    if (batch.trackers.size === SCRAPE_MAX_HASHES) {
      this.#gathering.delete(endpoint);
      this.deps.schedule(batch, nowMs, SCRAPE_PRIORITY);
    }
  }

  /** Called by the due queue. */
  begin(batch: ScrapeBatch): boolean {
    if (this.#gathering.get(batch.endpoint) === batch) this.#gathering.delete(batch.endpoint);
    const wanted = [...batch.trackers].filter((tracker) => tracker.torrent.running && !tracker.detached);
    if (wanted.length === 0) return false;
    void this.#run(batch.endpoint, wanted);
    return true;
  }

  /** Gives up everything under way; wishes are not heard any more. */
  close(): void {
    this.#abort.abort();
    this.#gathering.clear();
  }

  async #run(endpoint: Endpoint, trackers: readonly TrackerRecord[]): Promise<void> {
    try {
      const request = {
        url: endpoint.url,
        infoHashes: trackers.map((tracker) => tracker.torrent.torrent.infoHash),
        identity: this.deps.identity(),
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
      }
    } catch (thrown) {
      this.deps.log.error('bug: a tracker client threw', { tracker: endpoint.host, error: String(thrown) });
    } finally {
      this.deps.finished(endpoint.host);
    }
  }
}

function newBatch(endpoint: Endpoint): ScrapeBatch {
  return {
    kind: 'scrape',
    endpoint,
    trackers: new Set(),
    host: endpoint.host,
    heapIndex: -1,
    dueMs: 0,
    priority: SCRAPE_PRIORITY,
  };
}
