// Peer exchange (BEP 11) by `ut_pex`, which codes the messages and is kept from the rest of what it does: its timer
// for each peer never starts, its rule of one message a minute or the connection goes gives way to `PexRate`, and
// what it remembers of either side is forgotten after each message. Whom to tell what is `peers/pex-roster`'s.
import bencode from 'bencode';
import ipaddr from 'ipaddr.js';
import utPex, { type UtPexFlags } from 'ut_pex';
import type Wire from 'bittorrent-protocol';
import type { WireExtensionConstructor } from 'bittorrent-protocol';
import type { Clock, PeerAddress } from '../ports.js';
import { PexRate } from './pex-limits.js';
import { readPexMessage } from './pex-message.js';

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
  /** 0x10: somebody has connected to it. */
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

export function createPexExtension(clock: Pick<Clock, 'nowMs'>, listener: PexListener): WireExtensionConstructor {
  class PexExtension extends utPex() implements PexExchange {
    // The base class's own state; there is no other way to its encoder, nor around its clock.
    declare _wire: Wire & { readonly peerExtendedMapping: Readonly<Record<string, number>> };
    declare _lastMessageTimestamp: number;
    declare _localAddedPeers: Readonly<Record<string, unknown>>;
    declare _localDroppedPeers: Readonly<Record<string, unknown>>;
    declare _sendMessage: () => void;
    readonly #rate = new PexRate();
    #added: PexPeer[] = [];
    #dropped: PeerAddress[] = [];
    #toldSupported = false;

    constructor(wire: Wire) {
      super(wire);
      this.on('peer', (text, flags) => this.#added.push({ address: readAddress(text), flags: readFlags(flags) }));
      this.on('dropped', (text) => this.#dropped.push(readAddress(text)));
      listener.onExchange(this);
    }

    get supported(): boolean {
      const id = this._wire.peerExtendedMapping['ut_pex'];
      // The wire would cut it to one byte, and 0 is the handshake.
      return id !== undefined && id >= 1 && id <= 255;
    }

    send({ added, dropped }: PexMessage): void {
      if (!this.supported) return;
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
      this.reset();
    }

    override onExtendedHandshake(): void {
      if (this.#toldSupported || !this.supported) return;
      this.#toldSupported = true;
      listener.onSupported();
    }

    override onMessage(payload: Uint8Array): void {
      if (!this.#rate.accept(clock.nowMs())) return listener.onInvalid('more than 6 messages within a minute');
      const fields = readPexMessage(payload);
      if (typeof fields === 'string') return listener.onInvalid(fields);
      // The base class compares this with the time of day, and destroys the wire.
      this._lastMessageTimestamp = -Infinity;
      super.onMessage(bencode.encode({ ...fields }));
      this.reset();
      const [added, dropped] = [this.#added, this.#dropped];
      this.#added = [];
      this.#dropped = [];
      if (added.length > 0 || dropped.length > 0) listener.onPeers(added, dropped);
    }
  }
  return PexExtension;
}

/** `text` comes from the base class: always an address and a port. */
function readAddress(text: string): PeerAddress {
  const colon = text.lastIndexOf(':');
  const host = text.slice(0, colon).replace(/^\[|\]$/g, '');
  return { host: ipaddr.process(host).toString(), port: Number(text.slice(colon + 1)) };
}

/** As the base class wants it, IPv6 in brackets; null for what its encoder would throw on. */
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
