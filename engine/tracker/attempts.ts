// Announces under way: what is sent, by which client, and that each ends exactly once whatever the client does.
import type { Log } from '../environment.js';
import { trackerFailure, type AnnounceOutcome, type TrackerClient } from './client.js';
import type { TorrentRecord, TrackerRecord } from './records.js';
import type { AnnounceEvent, AnnounceFigures, AnnounceIdentity } from './types.js';

interface AttemptsDeps {
  readonly log: Log;
  readonly identity: () => AnnounceIdentity;
  readonly http: TrackerClient;
  readonly udp: TrackerClient;
  readonly onEnd: (tracker: TrackerRecord, event: AnnounceEvent, outcome: AnnounceOutcome) => void;
}

export class Attempts {
  readonly #underWay = new Set<TrackerRecord>();

  constructor(private readonly deps: AttemptsDeps) {}

  get underWay(): number {
    return this.#underWay.size;
  }

  begin(tracker: TrackerRecord, event: AnnounceEvent): void {
    const abort = new AbortController();
    tracker.abort = abort;
    tracker.isSent = false;
    this.#underWay.add(tracker);
    this.#announce(tracker, event, abort.signal)
      .then((outcome) => {
        tracker.abort = null;
        this.#underWay.delete(tracker);
        this.deps.onEnd(tracker, event, outcome);
      })
      .catch((thrown: unknown) => this.deps.log.error('bug: after an announce', { error: String(thrown) }));
  }

  /** Aborts those that `which` names; they end as aborted soon after. */
  abort(which: (tracker: TrackerRecord) => boolean): void {
    for (const tracker of this.#underWay) if (which(tracker)) tracker.abort?.abort();
  }

  async #announce(tracker: TrackerRecord, event: AnnounceEvent, signal: AbortSignal): Promise<AnnounceOutcome> {
    const { torrent, endpoint, trackerId } = tracker;
    const { infoHash } = torrent.torrent;
    const client = clientFor(endpoint.transport, this.deps);
    this.deps.log.debug('announce', { torrent: infoHash, tracker: endpoint.host, event });
    try {
      return await client.announce(
        {
          url: endpoint.url,
          infoHash,
          event,
          figures: figuresFor(torrent, event),
          identity: this.deps.identity(),
          account: tracker.account,
          onSending: () => (tracker.isSent = true),
          mayReachInside: torrent.torrent.mayReachInside(endpoint.url),
          trackerId,
        },
        signal,
      );
    } catch (thrown) {
      this.deps.log.error('bug: a tracker client threw', { tracker: endpoint.host, error: String(thrown) });
      return trackerFailure('TRACKER_REPLY_INVALID', 'internal error');
    }
  }
}

export function clientFor(
  transport: 'http' | 'udp' | 'none',
  clients: { readonly http: TrackerClient; readonly udp: TrackerClient },
): TrackerClient {
  return transport === 'udp' ? clients.udp : clients.http;
}

function figuresFor(record: TorrentRecord, event: AnnounceEvent): AnnounceFigures {
  const figures = record.finalFigures ?? record.torrent.figures();
  return event === 'stopped' ? { ...figures, numWant: 0 } : figures;
}
