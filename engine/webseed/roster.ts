// The web seeds of one torrent: which of them may be connected to, and when. Pure; it opens nothing.
//
// Invariant: a URL is at most once among those taken, and comes back by `onEnded`.
import { cleanWebSeeds } from '../metainfo/index.js';
import { SECOND_MS } from '../environment.js';
import { LASTING_MS, MAX_CONNECTED, MAX_RETRY_AFTER_MS, MAX_RETRY_MS, RETRY_MS } from './constants.js';
import type { WebSeedOutcome } from './outcome.js';

/** `waiting`: it failed, or asked for patience, and has not been tried again since. */
export type WebSeedState = 'idle' | 'connected' | 'waiting' | 'banned';

export interface WebSeedView {
  readonly url: string;
  readonly state: WebSeedState;
}

interface Entry {
  readonly url: string;
  state: WebSeedState;
  /** Monotonic milliseconds; 0: at once. */
  dueMs: number;
  takenAtMs: number;
  /** In a row. */
  failures: number;
}

export class WebSeedRoster {
  readonly #entries: readonly Entry[];

  /** Unusable URLs and repetitions are left out, and those beyond what a torrent may have. */
  constructor(urls: readonly string[]) {
    this.#entries = cleanWebSeeds(urls).map((url) => ({
      url,
      state: 'idle',
      dueMs: 0,
      takenAtMs: 0,
      failures: 0,
    }));
  }

  /** The seed to connect to now, the longest due first; null when there is none, or three are connected. */
  take(nowMs: number): string | null {
    const next = this.#next();
    if (!next || next.dueMs > nowMs) return null;
    next.state = 'connected';
    next.takenAtMs = nowMs;
    return next.url;
  }

  /** Notes the end of a URL that was taken. */
  onEnded(url: string, outcome: WebSeedOutcome, nowMs: number): void {
    const entry = this.#entries.find((candidate) => candidate.url === url);
    if (entry?.state !== 'connected') return;
    if (outcome.kind === 'bad-data') return this.ban(url);
    if (outcome.kind === 'ok' || nowMs - entry.takenAtMs >= LASTING_MS) entry.failures = 0;
    entry.state = outcome.kind === 'ok' ? 'idle' : 'waiting';
    entry.dueMs = nowMs + waitMs(outcome, entry.failures);
    if (outcome.kind === 'failed') entry.failures++;
  }

  /** Makes failed seeds due at once: what kept them from being asked may be over. */
  retry(): void {
    for (const entry of this.#entries) if (entry.state === 'waiting') Object.assign(entry, { failures: 0, dueMs: 0 });
  }

  /** Never again, whether it is taken or not. */
  ban(url: string): void {
    const entry = this.#entries.find((candidate) => candidate.url === url);
    if (entry) entry.state = 'banned';
  }

  /** When `take` may next return a seed, monotonic; null while that depends on another's end, or is never. */
  nextAttemptMs(): number | null {
    return this.#next()?.dueMs ?? null;
  }

  views(): WebSeedView[] {
    return this.#entries.map(({ url, state }) => ({ url, state }));
  }

  #next(): Entry | null {
    let next: Entry | null = null;
    let connected = 0;
    for (const entry of this.#entries) {
      if (entry.state === 'connected') connected++;
      else if (entry.state !== 'banned' && (!next || entry.dueMs < next.dueMs)) next = entry;
    }
    return connected < MAX_CONNECTED ? next : null;
  }
}

/** `failures` are those before this one. */
function waitMs(outcome: Exclude<WebSeedOutcome, { kind: 'bad-data' }>, failures: number): number {
  switch (outcome.kind) {
    case 'ok':
      return 0;
    case 'failed':
      return Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** failures);
    case 'retry-after':
      // A server that says 0 has still just refused.
      return Math.min(MAX_RETRY_AFTER_MS, Math.max(RETRY_MS, outcome.seconds * SECOND_MS));
  }
}
