// The login limit: attempts by source address (docs/api.md). An IPv6 customer has a /64 at the least, so that is one
// source. Says as well how attempts are told apart while they wait for a hash (passwords.ts).
import ipaddr from 'ipaddr.js';
import { AttemptLimit } from './attempt-limit.js';
import type { Requester } from './fair-queue.js';

const MINUTE_MS = 60_000;
export const LOGIN_LIMIT_JANITOR_MS = 5 * MINUTE_MS;
/** Bytes of an IPv6 address: a /64, and what sites and providers of tunnels hand out at once, a /48. */
const SOURCE_BYTES = 8;
const NETWORK_BYTES = 6;

export class LoginLimit {
  readonly #attempts: AttemptLimit;

  /** `now` in milliseconds, monotonic. */
  constructor(now: () => number) {
    this.#attempts = new AttemptLimit(now);
  }

  get size(): number {
    return this.#attempts.size;
  }

  /** Takes one attempt; false when none is left. */
  take(address: string): boolean {
    return this.#attempts.take(sourceOf(address));
  }

  /** An attempt that is not to count after all. */
  giveBack(address: string): void {
    this.#attempts.giveBack(sourceOf(address));
  }

  /** The requester of the attempt that was taken: networks wait in turn, however many sources they have. */
  requester(address: string): Requester {
    return { key: prefixOf(address, NETWORK_BYTES), isFresh: this.#attempts.isFresh(sourceOf(address)) };
  }

  sweep(): void {
    this.#attempts.sweep();
  }
}

/** Returns what counts as one source: an IPv4 address (mapped ones too), the /64 of an IPv6 one. */
export function sourceOf(address: string): string {
  return prefixOf(address, SOURCE_BYTES);
}

function prefixOf(address: string, bytes: number): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, bytes)).toString('hex')}/${bytes * 8}`;
}
