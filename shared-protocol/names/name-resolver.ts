// Names to addresses, for both threads. Names that are never answered stall no caller: few questions at a time, in turn
// by account, each of which ends when no caller waits for it or its time is up; what was found is kept for a moment,
// also that nothing was. Names for any caller: what may be connected to is judged elsewhere.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { performance } from 'node:perf_hooks';
import { DnsChannel } from './dns-channel.js';
import { failed, FairSlots, type Caller } from './fair-slots.js';
import { HostsFile } from './hosts-file.js';

export type { Caller } from './fair-slots.js';

/** Rejects with an Error that has a `code`, when `signal` is aborted as well. */
export type ResolveName = (name: string, caller: Caller, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

export interface NameResolverOptions {
  /** Addresses of name servers, with ports where they are others than 53; null: the system's. @default null */
  readonly servers: readonly string[] | null;
  readonly hosts: Pick<HostsFile, 'find'>;
  /** How name servers are reached. @default however the system likes */
  readonly way: NameWay | null;
}

export interface NameWay {
  /** Whether all questions go by one interface: then the system's resolver, which knows none, is not asked. */
  isConfined(): boolean;
  /** Servers to ask meanwhile in place of the others. */
  servers(): Promise<readonly string[]>;
}

const QUESTIONS = { slots: 16, slotsPerAccount: 12, waitingPerAccount: 256 };
/** The system's resolver: each takes one of libuv's four threads, which all threads of this process share. */
const SYSTEM_QUESTIONS = { slots: 1, slotsPerAccount: 1, waitingPerAccount: 16 };
const KEPT_FOUND_MS = 60_000;
const KEPT_FAILED_MS = 30_000;
const MAX_KEPT = 2_000;

interface Kept {
  readonly outcome: readonly LookupAddress[] | { readonly code: string };
  readonly untilMs: number;
}

/** The addresses of `localhost`, whatever a resolver says (RFC 6761). */
const THIS_MACHINE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export class NameResolver {
  readonly #slots = new FairSlots(QUESTIONS);
  readonly #systemSlots = new FairSlots(SYSTEM_QUESTIONS);
  readonly #hosts: Pick<HostsFile, 'find'>;
  readonly #servers: readonly string[] | null;
  readonly #way: NameWay | null;
  /** Channels that ask nothing at the moment. */
  readonly #channels: DnsChannel[] = [];
  readonly #busy = new Set<DnsChannel>();
  /** How often the way has changed: what was asked by one before says nothing. */
  #ways = 0;
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(options: Partial<NameResolverOptions> = {}) {
    this.#servers = options.servers ?? null;
    this.#hosts = options.hosts ?? new HostsFile(nowMs);
    this.#way = options.way ?? null;
  }

  /** There is another way to name servers: what is asked by the one before ends, and what was found counts no more. */
  forget(): void {
    this.#ways++;
    this.#kept.clear();
    for (const channel of [...this.#channels, ...this.#busy]) channel.forget();
  }

  /** At least one address. Fails with the code `ENOTFOUND`, `EAI_AGAIN`, `EBUSY` or `ABORT_ERR`. */
  readonly resolve: ResolveName = async (text, caller, signal) => {
    const name = text.toLowerCase().replace(/\.$/, '');
    if (name === 'localhost' || name.endsWith('.localhost')) return THIS_MACHINE;
    const written = this.#hosts.find(name);
    if (written) return written;
    const kept = this.#keptOf(name);
    if (kept) return foundIn(kept);
    const ways = this.#ways;
    try {
      const found = await this.#ask(name, caller, signal);
      if (ways === this.#ways) this.#keep(name, found);
      return found;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      // What was given up or had no turn says nothing of the name.
      const isTold = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
      if (isTold && ways === this.#ways) this.#keep(name, { code });
      throw error;
    }
  };

  #ask(name: string, caller: Caller, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    if (isOfNeighbourhood(name)) {
      if (this.#way?.isConfined()) return Promise.reject(failed('ENOTFOUND'));
      return this.#systemSlots.run(caller, signal, () => askSystem(name));
    }
    return this.#slots.run(caller, signal, async () => {
      // Another caller may have asked while this one waited.
      const kept = this.#keptOf(name);
      if (kept) return foundIn(kept);
      const channel = this.#channels.pop() ?? new DnsChannel(() => this.#serversOfNow(), nowMs);
      this.#busy.add(channel);
      try {
        return await channel.resolve(name, signal);
      } finally {
        this.#busy.delete(channel);
        this.#channels.push(channel);
      }
    });
  }

  async #serversOfNow(): Promise<readonly string[] | null> {
    return this.#way?.isConfined() ? this.#way.servers() : this.#servers;
  }

  #keptOf(name: string): Kept | null {
    const kept = this.#kept.get(name);
    return kept && kept.untilMs > nowMs() ? kept : null;
  }

  #keep(name: string, outcome: Kept['outcome']): void {
    const lifeMs = 'code' in outcome ? KEPT_FAILED_MS : KEPT_FOUND_MS;
    this.#kept.delete(name);
    this.#kept.set(name, { outcome, untilMs: nowMs() + lifeMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function foundIn({ outcome }: Kept): readonly LookupAddress[] {
  if ('code' in outcome) throw failed(outcome.code);
  return outcome;
}

/** Whether name servers know the name by search domains or not at all (multicast DNS, NetBIOS): the system is asked. */
function isOfNeighbourhood(name: string): boolean {
  return !name.includes('.') || name.endsWith('.local');
}

function askSystem(name: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, found) => {
      if (error) reject(failed(error.code === 'ENOTFOUND' ? 'ENOTFOUND' : 'EAI_AGAIN'));
      else resolve(found);
    });
  });
}

function nowMs(): number {
  return performance.now();
}
