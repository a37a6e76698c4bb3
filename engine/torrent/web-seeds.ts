// The web seeds of one torrent (BEP 19): which of them are connected as peers, and what their end means for the next
// attempt.
import type { CloseReason } from '../wire/errors.js';
import { webSeedOutcome, WebSeedRoster } from '../webseed/index.js';

export class WebSeeds {
  /** Made when it is first asked for: most torrents rest. */
  #roster: WebSeedRoster | null = null;

  constructor(private readonly urls: readonly string[]) {}

  /** Whether one might be connected to now. */
  isDue(nowMs: number): boolean {
    if (this.urls.length === 0) return false;
    this.#roster ??= new WebSeedRoster(this.urls);
    const next = this.#roster.nextAttemptMs();
    return next !== null && next <= nowMs;
  }

  /** False: there are none, or all have sent bad data. */
  get mayServe(): boolean {
    if (this.urls.length === 0) return false;
    return this.#roster?.views().some(({ state }) => state !== 'banned') ?? true;
  }

  /** `isBanned`: by another torrent as well. */
  connect(nowMs: number, connect: (url: string) => void, isBanned: (url: string) => boolean): void {
    for (let url = this.#roster?.take(nowMs); url; url = this.#roster?.take(nowMs)) {
      if (isBanned(url)) this.#roster?.ban(url);
      else connect(url);
    }
  }

  /** It is known for bad data, connected or not. */
  ban(url: string): void {
    this.#roster?.ban(url);
  }

  onClosed(url: string, reason: CloseReason, detail: string, nowMs: number): void {
    this.#roster?.onEnded(url, webSeedOutcome(reason, detail), nowMs);
  }
}
