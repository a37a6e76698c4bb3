// A tracker client in memory: answers as its script says, at once or when told to, and remembers what it was asked.
import type {
  AnnounceOutcome,
  AnnounceReply,
  AnnounceRequest,
  ScrapeOutcome,
  ScrapeRequest,
  TrackerClient,
} from '../../engine/tracker/client.js';
import { trackerFailure } from '../../engine/tracker/client.js';

export type AnnounceScript = (request: AnnounceRequest) => AnnounceOutcome | 'hold';

/** A reply with nothing but the usual interval, and what is given. */
export function reply(given: Partial<AnnounceReply> = {}): AnnounceReply {
  return {
    kind: 'answered',
    intervalSec: 1800,
    minIntervalSec: null,
    seeds: 1,
    leechers: 0,
    downloaded: null,
    peers: [],
    trackerId: null,
    warning: null,
    externalIp: null,
    ...given,
  };
}

interface Held {
  readonly request: AnnounceRequest;
  readonly settle: (outcome: AnnounceOutcome) => void;
}

export class ScriptedTrackerClient implements TrackerClient {
  readonly announces: AnnounceRequest[] = [];
  readonly scrapes: ScrapeRequest[] = [];
  /** Announces that the script held and nobody released yet. */
  readonly held: Held[] = [];
  /** Whether names are resolved; while they are not, trackers hear nothing. */
  resolvesNames = true;
  mostAtOnce = 0;
  closed = false;

  constructor(
    public script: AnnounceScript = () => reply(),
    public scrapeScript: (request: ScrapeRequest) => ScrapeOutcome = () =>
      trackerFailure('TRACKER_REFUSED', 'no scrape'),
  ) {}

  /** `event path` of each announce, for comparing a whole course of events. */
  get said(): string[] {
    return this.announces.map(({ event, url }) => `${event} ${new URL(url).host}`);
  }

  async announce(request: AnnounceRequest, signal: AbortSignal): Promise<AnnounceOutcome> {
    this.announces.push(request);
    if (this.resolvesNames) request.onSending?.();
    const outcome = this.script(request);
    if (outcome !== 'hold') return outcome;
    return new Promise((resolve) => {
      const held: Held = {
        request,
        settle: (settled) => {
          this.held.splice(this.held.indexOf(held), 1);
          resolve(settled);
        },
      };
      this.held.push(held);
      this.mostAtOnce = Math.max(this.mostAtOnce, this.held.length);
      signal.addEventListener('abort', () => held.settle(trackerFailure('TRACKER_ABORTED', 'given up')), {
        once: true,
      });
    });
  }

  async scrape(request: ScrapeRequest): Promise<ScrapeOutcome> {
    this.scrapes.push(request);
    return this.scrapeScript(request);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}
