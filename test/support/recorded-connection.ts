// A peer connection's handler that writes down what it hears. Blocks get places of their own; an incoming connection
// answers the handshake, as the contract wants.
import type { InfoHash, PeerId } from '../../shared-protocol/ids.js';
import type { PeerSocket } from '../../engine/environment.js';
import type { CloseReason } from '../../engine/wire/errors.js';
import { PeerConnection, type ConnectionHandler } from '../../engine/wire/peer-connection.js';
import type { ChannelSecurity } from '../../engine/wire/secure-channel.js';
import { plainSecurity } from './security.js';
import type { WireExtension } from '../../engine/wire/peer-wire.js';

export interface RecordedConnectionOptions {
  readonly direction: 'incoming' | 'outgoing';
  readonly infoHash: InfoHash;
  readonly peerId: PeerId;
  readonly extension?: WireExtension;
  readonly extendedHandshake?: Readonly<Record<string, unknown>>;
  /** The connection's clock, in milliseconds. @default stands still at 0 */
  readonly nowMs?: () => number;
  /** @default plain only */
  readonly security?: ChannelSecurity;
  /** An outgoing connection begins with an MSE handshake. @default false */
  readonly encrypted?: boolean;
  /** Called after each note, so that a test can act within a callback. */
  readonly onNote?: (note: string, connection: PeerConnection) => void;
}

export class RecordedConnection implements ConnectionHandler {
  /** One line for each call: its name without `on`, and its values. */
  readonly heard: string[] = [];
  readonly closes: { readonly reason: CloseReason; readonly detail: string }[] = [];
  readonly blocks: { readonly piece: number; readonly begin: number; readonly bytes: Uint8Array }[] = [];
  readonly handshakes: Record<string, unknown>[] = [];
  bitfield: Uint8Array | null = null;
  drains = 0;
  readonly connection: PeerConnection;
  #place = new Uint8Array(0);

  constructor(
    socket: PeerSocket,
    private readonly options: RecordedConnectionOptions,
  ) {
    const { direction, infoHash, encrypted = false, security = plainSecurity(), nowMs = () => 0 } = options;
    const start = direction === 'incoming' ? { kind: direction } : { kind: direction, infoHash, encrypted };
    this.connection = new PeerConnection(socket, start, this, { nowMs, security });
  }

  onConnect(): void {
    this.#note('connect');
    this.#introduce();
  }
  onHandshake(infoHash: InfoHash, peerId: PeerId): void {
    if (this.options.direction === 'incoming') this.#introduce();
    this.#note('handshake', infoHash, peerId, this.connection.fast ? 'fast' : 'plain');
  }
  onChoke(): void {
    this.#note('choke');
  }
  onUnchoke(): void {
    this.#note('unchoke');
  }
  onInterested(): void {
    this.#note('interested');
  }
  onNotInterested(): void {
    this.#note('notInterested');
  }
  onHave(piece: number): void {
    this.#note('have', piece);
  }
  onBitfield(bits: Uint8Array): void {
    this.bitfield = bits;
    this.#note('bitfield', Buffer.from(bits).toString('hex'));
  }
  onHaveAll(): void {
    this.#note('haveAll');
  }
  onHaveNone(): void {
    this.#note('haveNone');
  }
  onAllowedFast(piece: number): void {
    this.#note('allowedFast', piece);
  }
  onPort(port: number): void {
    this.#note('port', port);
  }
  onExtendedHandshake(handshake: Record<string, unknown>): void {
    this.handshakes.push(handshake);
    this.#note('extendedHandshake');
  }
  onRequest(piece: number, begin: number, length: number): void {
    this.#note('request', piece, begin, length);
  }
  onCancel(piece: number, begin: number, length: number): void {
    this.#note('cancel', piece, begin, length);
  }
  onReject(piece: number, begin: number, length: number): void {
    this.#note('reject', piece, begin, length);
  }
  onBlockStart(piece: number, begin: number, length: number): Uint8Array {
    this.#place = new Uint8Array(length);
    this.#note('blockStart', piece, begin, length);
    return this.#place;
  }
  onBlockEnd(piece: number, begin: number, length: number): void {
    this.blocks.push({ piece, begin, bytes: this.#place });
    this.#note('blockEnd', piece, begin, length);
  }
  onReadEnd(): void {
    // Once for each read, however it was cut: no part of what the peer said.
  }
  onDrain(): void {
    this.drains++;
  }
  onClose(reason: CloseReason, detail: string): void {
    this.closes.push({ reason, detail });
    this.#note('close', reason);
  }

  #introduce(): void {
    const { connection, options } = this;
    if (options.extension) connection.useExtension(options.extension);
    connection.setExtendedHandshake(options.extendedHandshake ?? {});
    connection.sendHandshake(options.infoHash, options.peerId);
  }

  #note(...words: readonly (string | number)[]): void {
    const note = words.join(' ');
    this.heard.push(note);
    this.options.onNote?.(note, this.connection);
  }
}
