// What one torrent tells its peers of each other (BEP 11): to each recipient the difference between what it was told
// and what is true now, at most once a minute, in turns. Also which of the
// addresses that they send are worth knowing. Pure; sending is the integrator's business.
//
// Every address has a slot, and every recipient a bit for each slot: told or not. An address that came and went
// between two messages was never told and is not mentioned; one that went and came back is still told and true.
// Invariants (`checkInvariant`): a slot is held while a peer is connected there or a recipient has been told so and not
// otherwise; its `told` counts the recipients that have its bit.
import { SECOND_MS, type PeerAddress } from '../environment.js';
import type { PexMessage, PexPeer } from './extension.js';
import { MAX_PEX_PEERS, PEX_INTERVAL_MS } from './limits.js';
import { formatAddress, isConnectable, isLocalHost } from '../net/address.js';
import { SlotSet } from './slots.js';

/** A clock that jumped, or a torrent that slept, makes no burst larger than this time's share. */
const MAX_CATCH_UP_MS = 2 * SECOND_MS;

interface Listing {
  readonly slot: number;
  readonly text: string;
  /** The peer as its connection told of it last. */
  peer: PexPeer;
  /** Connections at this address; 0 when it is to be dropped. */
  connections: number;
  /** Recipients that believe it is there. */
  told: number;
}

interface Recipient {
  readonly told: SlotSet;
  /** Where its first message begins, so that not everybody is sent to the same 50 peers of a large swarm. */
  readonly firstSlot: number;
  /** No message before. */
  notBeforeMs: number;
  /** The roster's version that it has been told all of. */
  toldVersion: number;
}

/** `Key` identifies a connection, both as one to tell about and as one to be told. */
export class PexRoster<Key> {
  readonly #slots: (Listing | null)[] = [];
  readonly #freeSlots: number[] = [];
  readonly #byAddress = new Map<string, Listing>();
  readonly #byKey = new Map<Key, Listing>();
  /** In the order of their turns. */
  readonly #recipients = new Map<Key, Recipient>();
  #recipientsEver = 0;
  /** Grows with every change that there is to tell; 0 when there never was one. */
  #version = 0;
  #lastTurnMs = -Infinity;

  /** Tell the others about this peer, or what has changed of it. Its address is one that it can be connected to at. */
  add(key: Key, peer: PexPeer): void {
    const text = formatAddress(peer.address);
    const known = this.#byKey.get(key);
    if (known?.text === text) {
      known.peer = peer;
      return;
    }
    this.remove(key);
    const listing = this.#byAddress.get(text) ?? this.#open(text, peer);
    listing.peer = peer;
    listing.connections++;
    this.#version++;
    this.#byKey.set(key, listing);
  }

  remove(key: Key): void {
    const listing = this.#byKey.get(key);
    if (!listing) return;
    this.#byKey.delete(key);
    listing.connections--;
    this.#version++;
    this.#closeIfUnused(listing);
  }

  /** Takes in a peer that supports `ut_pex`: it has its turn from now on. */
  addRecipient(key: Key): void {
    if (this.#recipients.has(key)) return;
    const firstSlot = this.#recipientsEver++;
    this.#recipients.set(key, { told: new SlotSet(), firstSlot, notBeforeMs: -Infinity, toldVersion: 0 });
  }

  /** Forgets a recipient whose connection is gone, and what it was told. */
  forget(recipient: Key): void {
    const told = this.#recipients.get(recipient)?.told;
    if (!told) return;
    this.#recipients.delete(recipient);
    for (const listing of this.#slots) if (listing && told.has(listing.slot)) this.#untell(listing, told);
  }

  /**
   * The recipients whose turn it is now: so many that each has one in a minute if this is called often, and at least
   * one of those that there may be something for.
   */
  recipientsDue(nowMs: number): readonly Key[] {
    if (nowMs <= this.#lastTurnMs) return [];
    const elapsedMs = Math.min(nowMs - this.#lastTurnMs, MAX_CATCH_UP_MS);
    const turns = Math.ceil((this.#recipients.size * elapsedMs) / PEX_INTERVAL_MS);
    this.#lastTurnMs = nowMs;
    const due: Key[] = [];
    for (const [key, { notBeforeMs, toldVersion }] of this.#recipients) {
      if (due.length === turns) break;
      if (notBeforeMs <= nowMs && toldVersion !== this.#version) due.push(key);
    }
    for (const key of due) this.#moveToEnd(key);
    return due;
  }

  /** The message to send now, counted as sent; null when there is none, or the last one is less than a minute old. */
  messageFor(recipientKey: Key, nowMs: number): PexMessage | null {
    const recipient = this.#recipients.get(recipientKey);
    if (!recipient || nowMs < recipient.notBeforeMs) return null;
    const message = this.#difference(recipient, this.#byKey.get(recipientKey));
    const { added, dropped } = message;
    if (added.length < MAX_PEX_PEERS && dropped.length < MAX_PEX_PEERS) recipient.toldVersion = this.#version;
    if (added.length === 0 && dropped.length === 0) return null;
    recipient.notBeforeMs = nowMs + PEX_INTERVAL_MS;
    return message;
  }

  /** For tests. @throws Error when the books do not balance */
  checkInvariant(): void {
    let held = 0;
    for (const [slot, listing] of this.#slots.entries()) {
      if (!listing) continue;
      held++;
      const told = [...this.#recipients.values()].filter((recipient) => recipient.told.has(slot)).length;
      const connections = [...this.#byKey.values()].filter((other) => other === listing).length;
      const isRight = listing.slot === slot && this.#byAddress.get(listing.text) === listing && told + connections > 0;
      if (!isRight || listing.told !== told || listing.connections !== connections) {
        throw new Error(`bug: slot ${slot} of ${listing.text}: told ${told}, connections ${connections}`);
      }
    }
    if (held !== this.#byAddress.size || held + this.#freeSlots.length !== this.#slots.length) {
      throw new Error(`bug: ${held} slots held of ${this.#slots.length}`);
    }
  }

  /** Slots held and free: what each recipient's bits grow with. */
  get slotCount(): number {
    return this.#slots.length;
  }

  #difference({ told, firstSlot }: Recipient, self: Listing | undefined): PexMessage {
    const added: PexPeer[] = [];
    const dropped: PexPeer['address'][] = [];
    const count = this.#slots.length;
    for (let i = 0; i < count; i++) {
      const listing = this.#slots[(firstSlot + i) % count];
      if (!listing || listing === self) continue;
      const { slot, peer, connections } = listing;
      if (connections > 0 && added.length < MAX_PEX_PEERS && !told.has(slot)) {
        told.add(slot);
        listing.told++;
        added.push(peer);
      } else if (connections === 0 && dropped.length < MAX_PEX_PEERS && told.has(slot)) {
        this.#untell(listing, told);
        dropped.push(peer.address);
      }
    }
    return { added, dropped };
  }

  #open(text: string, peer: PexPeer): Listing {
    const listing = { slot: this.#freeSlots.pop() ?? this.#slots.length, text, peer, connections: 0, told: 0 };
    this.#slots[listing.slot] = listing;
    this.#byAddress.set(text, listing);
    return listing;
  }

  #untell(listing: Listing, told: SlotSet): void {
    told.delete(listing.slot);
    listing.told--;
    this.#closeIfUnused(listing);
  }

  /** Frees the slot of an unused listing: it may mean another address only once no recipient's bits mean this one. */
  #closeIfUnused({ slot, text, connections, told }: Listing): void {
    if (connections > 0 || told > 0) return;
    this.#slots[slot] = null;
    this.#freeSlots.push(slot);
    this.#byAddress.delete(text);
  }

  #moveToEnd(key: Key): void {
    const recipient = this.#recipients.get(key);
    if (!recipient) return;
    this.#recipients.delete(key);
    this.#recipients.set(key, recipient);
  }
}

/**
 * Which of the addresses that a peer sends are worth knowing. Local ones only from a local peer, as libtorrent does: a
 * stranger's would lead into our own network. Those that are known, connected or ourselves are the peer list's to sort out.
 */
export function pexCandidates(added: readonly PexPeer[], sender: PeerAddress): PeerAddress[] {
  const fromLocal = isLocalHost(sender.host);
  return added
    .map(({ address }) => address)
    .filter((address) => isConnectable(address) && (fromLocal || !isLocalHost(address.host)));
}
