// Peer exchange (BEP 11) by `ut_pex`, which codes the messages and is kept from the rest of what it does: one is made for
// each message and forgotten with what it remembers of either side, its timer never starts, and its rule of one message a
// minute or the connection goes gives way to `PexRate`. Which peer to tell what is `pex/roster`'s.
import bencode from 'bencode';
import ipaddr from 'ipaddr.js';
import utPex, { type UtPexFlags } from 'ut_pex';
import type Wire from 'bittorrent-protocol';
import type { Clock, PeerAddress } from '../environment.js';
import { PexRate } from './limits.js';
import { ConnectionExtension, type PeerWire, type WireExtension } from '../wire/peer-wire.js';
import { readPexMessage } from './message.js';

/** BEP 11's bits, in the order of their values. */
export interface PexFlags {
  /** 0x01 */
  readonly prefersEncryption: boolean;
  /** 0x02, also set by peers that only upload. */
  readonly isSeed: boolean;
  /** 0x04 */
  readonly supportsUtp: boolean;
  /** 0x08 */
  readonly supportsHolepunch: boolean;
  /** 0x10: a peer has connected to it. */
  readonly isReachable: boolean;
}

export interface PexPeer {
  readonly address: PeerAddress;
  readonly flags: PexFlags;
}

export interface PexMessage {
  readonly added: readonly PexPeer[];
  readonly dropped: readonly PeerAddress[];
}

export interface PexExchange {
  /** The peer takes such messages. May change with every extended handshake. */
  readonly supported: boolean;
  /** Sends one message, or none when there is nothing to say; beyond 50 of each the rest is left out. */
  send(message: PexMessage): void;
}

export interface PexListener {
  onExchange(exchange: PexExchange): void;
  /** The peer has said that it supports `ut_pex`; once. */
  onSupported(): void;
  /**
   * At most 50 of each, with ports but otherwise as the peer sent them: not checked for being connectable, local or
   * ourselves. An address in both lists counts as added.
   */
  onPeers(added: readonly PexPeer[], dropped: readonly PeerAddress[]): void;
  /** The peer broke the protocol. */
  onInvalid(reason: string): void;
}

export function createPexExtension(clock: Pick<Clock, 'nowMs'>, listener: PexListener): WireExtension {
  return { name: 'ut_pex', attach: (wire) => new PexExtension(wire, clock, listener) };
}

class PexExtension extends ConnectionExtension implements PexExchange {
  #rate: PexRate | null = null;
  #toldSupported = false;

  constructor(
    private readonly wire: PeerWire,
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly listener: PexListener,
  ) {
    super();
    listener.onExchange(this);
  }

  get supported(): boolean {
    return this.wire.idOf('ut_pex') !== null;
  }

  send(message: PexMessage): void {
    if (this.supported) new Codec(this.wire).say(message);
  }

  override onExtendedHandshake(): void {
    if (this.#toldSupported || !this.supported) return;
    this.#toldSupported = true;
    this.listener.onSupported();
  }

  override onMessage(payload: Uint8Array): void {
    this.#rate ??= new PexRate();
    if (!this.#rate.accept(this.clock.nowMs())) {
      return this.listener.onInvalid('more than 6 messages within a minute');
    }
    const fields = readPexMessage(payload);
    if (typeof fields === 'string') return this.listener.onInvalid(fields);
    const { added, dropped } = new Codec(this.wire).read(bencode.encode({ ...fields }));
    if (added.length > 0 || dropped.length > 0) this.listener.onPeers(added, dropped);
  }
}

/** For one message. */
class Codec extends utPex() {
  // The base class's own state; there is no other way to its encoder, nor around its clock.
  declare _wire: Wire;
  declare _lastMessageTimestamp: number;
  declare _localAddedPeers: Readonly<Record<string, unknown>>;
  declare _localDroppedPeers: Readonly<Record<string, unknown>>;
  declare _sendMessage: () => void;

  say({ added, dropped }: PexMessage): void {
    for (const address of dropped) {
      const text = writeAddress(address);
      if (text?.startsWith('[')) this.dropPeer6(text);
      else if (text) this.dropPeer(text);
    }
    for (const { address, flags } of added) {
      const text = writeAddress(address);
      if (text?.startsWith('[')) this.addPeer6(text, writeFlags(flags));
      else if (text) this.addPeer(text, writeFlags(flags));
    }
    if (!isEmpty(this._localAddedPeers) || !isEmpty(this._localDroppedPeers)) this._sendMessage();
  }

  read(payload: Uint8Array): { readonly added: readonly PexPeer[]; readonly dropped: readonly PeerAddress[] } {
    const added: PexPeer[] = [];
    const dropped: PeerAddress[] = [];
    this.on('peer', (text, flags) => added.push({ address: readAddress(text), flags: readFlags(flags) }));
    this.on('dropped', (text) => dropped.push(readAddress(text)));
    // The base class compares this with the time of day, and destroys the wire.
    this._lastMessageTimestamp = -Infinity;
    this.onMessage(payload);
    return { added, dropped };
  }
}

/** `text` comes from the base class: always an address and a port. */
function readAddress(text: string): PeerAddress {
  const colon = text.lastIndexOf(':');
  const host = text.slice(0, colon).replace(/^\[|\]$/g, '');
  return { host: ipaddr.process(host).toString(), port: Number(text.slice(colon + 1)) };
}

/** The address as the base class wants it, IPv6 in brackets; null for what its encoder would throw on. */
function writeAddress({ host, port }: PeerAddress): string | null {
  if (!ipaddr.isValid(host) || !Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const address = ipaddr.process(host);
  return address.kind() === 'ipv6' ? `[${address.toString()}]:${port}` : `${address.toString()}:${port}`;
}

function readFlags({ isSender, supportsUtHolepunch, ...flags }: UtPexFlags): PexFlags {
  return { ...flags, isSeed: isSender, supportsHolepunch: supportsUtHolepunch };
}

function writeFlags({ isSeed, supportsHolepunch, ...flags }: PexFlags): UtPexFlags {
  return { ...flags, isSender: isSeed, supportsUtHolepunch: supportsHolepunch };
}

function isEmpty(peers: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(peers).length === 0;
}
