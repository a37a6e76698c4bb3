// Who may be in the package's routing table, and who has to leave. One node for each address and each /24, so that an
// attacker needs many networks rather than many ids (lt `dht_restrict_routing_ips`; over the whole table, which is
// stricter than the one for each bucket of BEP 5's advice). Addresses near by are exempt.
//
// Invariant: every node of the table has an entry here, found by its address, and its networks are taken.
import type { DhtContact, DhtContacts } from 'bittorrent-dht';
import type { Clock, PeerAddress } from '../environment.js';
import { formatAddress } from '../net/address.js';
import { NODE_FRESH_MS, NODE_MAX_FAILURES, REFRESH_PER_MINUTE } from './constants.js';
import { mayBeNode, networksOf } from './node-address.js';

interface Entry {
  readonly contact: DhtContact;
  answeredMs: number;
  /** Queries in a row that it left unanswered. */
  failures: number;
}

interface RoutingTableDeps {
  readonly clock: Clock;
  readonly contacts: DhtContacts;
  readonly ownId: Uint8Array;
  readonly isOwn: (address: PeerAddress) => boolean;
  readonly isAllowed: (address: PeerAddress) => boolean;
  readonly remove: (id: Uint8Array) => void;
  /** The number of nodes has changed. */
  readonly onChange: (count: number) => void;
}

export class RoutingTable {
  readonly #entries = new Map<string, Entry>();
  /** Public hosts and their /24 that are taken. */
  readonly #taken = new Set<string>();

  constructor(private readonly deps: RoutingTableDeps) {
    const { contacts, clock } = deps;
    const add = contacts.add.bind(contacts);
    // The package offers every node that answers; the only way in is this method.
    contacts.add = (contact) => (this.admits(contact) ? add(contact) : contacts);
    contacts.on('added', (contact) => {
      this.#entries.set(formatAddress(contact), { contact, answeredMs: clock.nowMs(), failures: 0 });
      for (const network of networksOf(contact.host)) this.#taken.add(network);
      deps.onChange(this.size);
    });
    contacts.on('removed', (contact) => {
      this.#entries.delete(formatAddress(contact));
      for (const network of networksOf(contact.host)) this.#taken.delete(network);
      deps.onChange(this.size);
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The addresses of the nodes; those that answered last come first. */
  addresses(): PeerAddress[] {
    return [...this.#entries.values()]
      .sort((a, b) => b.answeredMs - a.answeredMs)
      .map(({ contact: { host, port } }) => ({ host, port }));
  }

  has(address: PeerAddress): boolean {
    return this.#entries.has(formatAddress(address));
  }

  /** Whether the address could become a node: worth a ping. */
  wants(address: PeerAddress): boolean {
    const { isOwn, isAllowed } = this.deps;
    if (!mayBeNode(address, 'local') || isOwn(address) || !isAllowed(address) || this.has(address)) return false;
    return networksOf(address.host).every((network) => !this.#taken.has(network));
  }

  admits({ id, host, port }: DhtContact): boolean {
    // Known ids are never moved to another address: any node may claim them.
    if (Buffer.compare(id, this.deps.ownId) === 0 || this.deps.contacts.get(id)) return false;
    return this.wants({ host, port });
  }

  /** Others are allowed than when they came in. */
  dropDisallowed(): void {
    for (const { contact } of [...this.#entries.values()]) {
      if (!this.deps.isAllowed(contact)) this.deps.remove(contact.id);
    }
  }

  answered(from: PeerAddress): void {
    const entry = this.#entries.get(formatAddress(from));
    if (!entry) return;
    entry.answeredMs = this.deps.clock.nowMs();
    entry.failures = 0;
  }

  unanswered(to: PeerAddress): void {
    const entry = this.#entries.get(formatAddress(to));
    if (entry && ++entry.failures >= NODE_MAX_FAILURES) this.deps.remove(entry.contact.id);
  }

  /** Some of those that have not answered for 15 minutes, or failed to; the most silent first. */
  stale(): PeerAddress[] {
    const beforeMs = this.deps.clock.nowMs() - NODE_FRESH_MS;
    return [...this.#entries.values()]
      .filter(({ answeredMs, failures }) => failures > 0 || answeredMs <= beforeMs)
      .sort((a, b) => a.answeredMs - b.answeredMs)
      .slice(0, REFRESH_PER_MINUTE)
      .map(({ contact: { host, port } }) => ({ host, port }));
  }

  /** For tests: throws where the entries and the package's table differ. */
  checkInvariant(): void {
    const contacts = this.deps.contacts.toArray();
    const networks = contacts.flatMap(({ host }) => networksOf(host));
    if (contacts.length !== this.#entries.size) throw new Error('bug: table and entries differ');
    if (!contacts.every((contact) => this.has(contact))) throw new Error('bug: node without entry');
    if (networks.length !== this.#taken.size) throw new Error('bug: networks taken and nodes differ');
  }
}
