// How often the whole session connects to one address inside (docs/limits.md 2.18): a neighbour may run several
// programs, so ports are tried at once, but not so many that a stranger could find out what listens there, nor so often
// that a service could be fed with handshakes. Pure: time is an argument.
import { MINUTE_MS, type PeerAddress } from '../environment.js';

/** More programs than a machine has that share torrents; scanning all ports would take a year. */
export const INSIDE_PORTS_PER_HOUR = 8;
export const INSIDE_ATTEMPTS_PER_MINUTE = 16;
/** Hosts remembered: of a network larger than a /22 not all are tried; more wait until others are forgotten. */
const MAX_HOSTS = 1_024;
const HOUR_MS = 60 * MINUTE_MS;

interface Host {
  /** Until when each port that was tried counts. */
  readonly ports: Map<number, number>;
  /** When each of the last attempts ceases to count, in order. */
  attempts: number[];
}

export class InsideLimits {
  readonly #hosts = new Map<string, Host>();

  /** When the address may be connected to: `nowMs` or earlier means now. */
  freeAtMs({ host, port }: PeerAddress, nowMs: number): number {
    const known = this.#hosts.get(host);
    if (!known) return this.#hosts.size < MAX_HOSTS ? nowMs : this.#roomAtMs(nowMs);
    const attempts = known.attempts.filter((untilMs) => untilMs > nowMs);
    const turnMs = attempts.length < INSIDE_ATTEMPTS_PER_MINUTE ? nowMs : attempts[0]!;
    const portsMs = [...known.ports].filter(([, untilMs]) => untilMs > nowMs);
    if (portsMs.length < INSIDE_PORTS_PER_HOUR || portsMs.some(([tried]) => tried === port)) return turnMs;
    return Math.max(turnMs, Math.min(...portsMs.map(([, untilMs]) => untilMs)));
  }

  onAttempt({ host, port }: PeerAddress, nowMs: number): void {
    this.#forget(nowMs);
    const known = this.#hosts.get(host) ?? { ports: new Map<number, number>(), attempts: [] };
    this.#hosts.set(host, known);
    for (const [tried, untilMs] of known.ports) if (untilMs <= nowMs) known.ports.delete(tried);
    known.ports.set(port, nowMs + HOUR_MS);
    known.attempts = [...known.attempts.filter((untilMs) => untilMs > nowMs), nowMs + MINUTE_MS];
  }

  #forget(nowMs: number): void {
    if (this.#hosts.size < MAX_HOSTS) return;
    for (const [host, { ports }] of this.#hosts) if (lastOf(ports) <= nowMs) this.#hosts.delete(host);
  }

  #roomAtMs(nowMs: number): number {
    this.#forget(nowMs);
    if (this.#hosts.size < MAX_HOSTS) return nowMs;
    return Math.min(...[...this.#hosts.values()].map(({ ports }) => lastOf(ports)));
  }
}

function lastOf(ports: ReadonlyMap<number, number>): number {
  return Math.max(...ports.values());
}
