// Sources that send too much are not listened to for a while (docs/limits.md 2.19). Counts in windows for each address,
// for as many addresses as one can afford; the least recently heard is forgotten first, unless it is blocked.
import type { Clock } from '../environment.js';
import { FLOOD_BLOCK_MS, FLOOD_MAX_SOURCES, FLOOD_MESSAGES, FLOOD_WINDOW_MS } from './constants.js';

interface Source {
  windowStartMs: number;
  messages: number;
  /** -Infinity while it is not. */
  blockedUntilMs: number;
}

export class FloodGuard {
  /** In order of the last message counted. */
  readonly #sources = new Map<string, Source>();

  constructor(
    private readonly clock: Clock,
    private readonly maxSources = FLOOD_MAX_SOURCES,
  ) {}

  get size(): number {
    return this.#sources.size;
  }

  isBlocked(host: string): boolean {
    const source = this.#sources.get(host);
    return source !== undefined && this.clock.nowMs() < source.blockedUntilMs;
  }

  /** Counts a message. False when it was one too many: not to be answered, nor any other for five minutes. */
  admit(host: string): boolean {
    const nowMs = this.clock.nowMs();
    let source = this.#sources.get(host);
    if (source && nowMs < source.blockedUntilMs) return false;
    if (!source || nowMs - source.windowStartMs >= FLOOD_WINDOW_MS) {
      source = { windowStartMs: nowMs, messages: 0, blockedUntilMs: -Infinity };
    }
    this.#sources.delete(host);
    if (this.#sources.size >= this.maxSources) this.#forgetOne(nowMs);
    this.#sources.set(host, source);
    source.messages++;
    if (source.messages < FLOOD_MESSAGES) return true;
    source.blockedUntilMs = nowMs + FLOOD_BLOCK_MS;
    return false;
  }

  /** Few are blocked at any time, so this ends soon; with all of them blocked, the first goes. */
  #forgetOne(nowMs: number): void {
    let victim: string | undefined;
    let looked = 0;
    for (const [host, source] of this.#sources) {
      victim ??= host;
      if (++looked > 64) break;
      if (nowMs < source.blockedUntilMs) continue;
      victim = host;
      break;
    }
    if (victim !== undefined) this.#sources.delete(victim);
  }
}
