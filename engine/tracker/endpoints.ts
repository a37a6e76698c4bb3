// The tracker URLs of all torrents, each kept once however many torrents use it, with what their attempts have in
// common: a tracker that cannot be reached for one torrent is spared the attempts of the others for a while, or
// thousands of torrents would spend every slot on waiting for it.
import type { Random } from '../environment.js';
import type { TrackerErrorCode } from './client.js';
import { JITTER, UNREACHABLE_MAX_MS } from './constants.js';
import { backOffMs } from './next-announce.js';
import { readTrackerUrl, type TrackerUrl } from './tracker-url.js';

export interface Endpoint extends TrackerUrl {
  readonly url: string;
  /** Trackers of torrents that hold it. */
  users: number;
  /** Apart, so that no account that may not reach inside learns what others have found there. */
  readonly attempts: { readonly outside: Attempted; readonly inside: Attempted };
}

/** How attempts have gone, of torrents that may reach inside or of those that may not. */
export interface Attempted {
  /** Attempts in a row that found no tracker, counted once per waiting time. */
  unreachable: number;
  /** No attempts before this, monotonic milliseconds. */
  unreachableUntilMs: number;
  unreachableReason: string;
}

export class EndpointTable {
  readonly #endpoints = new Map<string, Endpoint>();

  get size(): number {
    return this.#endpoints.size;
  }

  acquire(url: string): Endpoint {
    let endpoint = this.#endpoints.get(url);
    if (!endpoint) {
      endpoint = {
        ...readTrackerUrl(url),
        url,
        users: 0,
        attempts: { outside: newAttempted(), inside: newAttempted() },
      };
      this.#endpoints.set(url, endpoint);
    }
    endpoint.users++;
    return endpoint;
  }

  /** There is another way to all of them: what was found out by the one before does not count. */
  forgetFailures(): void {
    for (const { attempts } of this.#endpoints.values()) {
      noteReached(attempts.outside);
      noteReached(attempts.inside);
    }
  }

  release(endpoint: Endpoint): void {
    endpoint.users--;
    if (endpoint.users === 0) this.#endpoints.delete(endpoint.url);
  }
}

function newAttempted(): Attempted {
  return { unreachable: 0, unreachableUntilMs: -Infinity, unreachableReason: '' };
}

export function noteReached(attempted: Attempted): void {
  attempted.unreachable = 0;
  attempted.unreachableUntilMs = -Infinity;
}

/** Attempts that were already under way when the first of them failed do not lengthen the wait. */
export function noteFailure(attempted: Attempted, code: TrackerErrorCode, reason: string, nowMs: number): void {
  if (code === 'TRACKER_ABORTED') return;
  if (code !== 'TRACKER_TIMEOUT' && code !== 'TRACKER_UNREACHABLE') return noteReached(attempted);
  if (nowMs < attempted.unreachableUntilMs) return;
  attempted.unreachable++;
  attempted.unreachableReason = reason;
  // Ends before the back-off of the torrent that found out, whatever its jitter: that one makes the next attempt.
  const waitMs = Math.min(UNREACHABLE_MAX_MS, backOffMs(attempted.unreachable)) * (1 - JITTER);
  attempted.unreachableUntilMs = nowMs + Math.floor(waitMs);
}

/** When a torrent that is spared its attempt comes back; spread, so that not all of them come at once. */
export function sparedUntilMs(attempted: Attempted, nowMs: number, random: Random): number {
  const spread = Math.ceil((attempted.unreachableUntilMs - nowMs) * 2 * JITTER);
  return attempted.unreachableUntilMs + random.below(spread + 1);
}
