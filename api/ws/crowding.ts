// How many sockets there may be and how much memory they may hold back, so that no account takes the push channel or the
// memory from the others. Decides only; the hub acts.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Frame } from './frames.js';

const SECOND_MS = 1_000;
const MIB = 1024 * 1024;
/** Many more than an account has pages and scripts; each costs a frame a second. */
export const MAX_SOCKETS_OF_ACCOUNT = 50;
export const MAX_SOCKETS = 1_000;
/** A client that took nothing of what is sent for so long does not read. */
const TAKE_DEADLINE_MS = 30 * SECOND_MS;
/** Frames that a socket took longer to take than this are held for it, and for those as slow as it. */
const LAG_MS = 2 * SECOND_MS;
/** Held for the slow sockets of an account, and of all; of each account one frame is, however large. */
const MAX_HELD_OF_ACCOUNT_BYTES = 64 * MIB;
const MAX_HELD_BYTES = 256 * MIB;

export interface Crowded {
  readonly accountId: AccountId;
  /** Milliseconds since it took anything of a frame that is being sent; 0 when nothing is. */
  readonly idleMs: number;
  /** Milliseconds since that frame was begun. */
  readonly sendingMs: number;
  /** Frames that are being sent to it or wait for it. */
  readonly held: readonly Frame[];
}

export type Room<Client> =
  | { readonly kind: 'free' }
  /** The first client of the account that has most makes room. */
  | { readonly kind: 'instead'; readonly of: Client }
  | { readonly kind: 'none' };

/** `clients`: in the order they came. */
export function roomFor<Client extends Crowded>(clients: Iterable<Client>, accountId: AccountId): Room<Client> {
  const byAccount = groupBy(clients, (client) => client.accountId);
  const own = byAccount.get(accountId)?.length ?? 0;
  if (own >= MAX_SOCKETS_OF_ACCOUNT) return { kind: 'none' };
  const groups = [...byAccount.values()];
  if (groups.reduce((sum, { length }) => sum + length, 0) < MAX_SOCKETS) return { kind: 'free' };
  const [first] = groups.reduce((most, group) => (group.length > most.length ? group : most));
  const most = first ? byAccount.get(first.accountId) : undefined;
  return first && most && most.length > own + 1 ? { kind: 'instead', of: first } : { kind: 'none' };
}

/** Clients that do not read, and of those that read slowly as many as hold too much, the slowest first. */
export function tooSlow<Client extends Crowded>(clients: Iterable<Client>): Client[] {
  const all = [...clients];
  const gone = new Set(all.filter(({ idleMs }) => idleMs > TAKE_DEADLINE_MS));
  const slow = all
    .filter((client) => client.sendingMs > LAG_MS && !gone.has(client))
    .sort((a, b) => b.sendingMs - a.sendingMs);
  const byAccount = [...groupBy(slow, (client) => client.accountId).values()].map((group) => new Backlog(group));
  for (const backlog of byAccount) {
    while (backlog.isLong && backlog.bytes > MAX_HELD_OF_ACCOUNT_BYTES) gone.add(backlog.leaveOut());
  }
  for (;;) {
    const sum = byAccount.reduce((bytes, backlog) => bytes + backlog.bytes, 0);
    const long = byAccount.filter(({ isLong }) => isLong);
    if (sum <= MAX_HELD_BYTES || long.length === 0) return [...gone];
    gone.add(long.reduce((most, backlog) => (backlog.bytes > most.bytes ? backlog : most)).leaveOut());
  }
}

/** The slow sockets of an account, the slowest first, and the frames they hold; a frame of several counts once. */
class Backlog<Client extends Crowded> {
  readonly #holders = new Map<Frame, number>();
  bytes = 0;

  constructor(private readonly clients: Client[]) {
    for (const { held } of clients) {
      for (const frame of new Set(held)) {
        const holders = this.#holders.get(frame) ?? 0;
        this.#holders.set(frame, holders + 1);
        if (holders === 0) this.bytes += frame.length;
      }
    }
  }

  /** There is more than one frame, and a client to let go of. */
  get isLong(): boolean {
    return this.#holders.size > 1 && this.clients.length > 0;
  }

  leaveOut(): Client {
    const client = this.clients.shift()!;
    for (const frame of new Set(client.held)) {
      const holders = (this.#holders.get(frame) ?? 0) - 1;
      if (holders > 0) this.#holders.set(frame, holders);
      else {
        this.#holders.delete(frame);
        this.bytes -= frame.length;
      }
    }
    return client;
  }
}

function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
