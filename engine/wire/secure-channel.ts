// What lies between a socket and the peer protocol: nothing, an MSE handshake and then nothing, or RC4 both ways.
// Received bytes are deciphered in place before they are handed on, sent ones in place before they are written, so
// encrypted connections take the same bulk path as plain ones.
import type { InfoHash } from '../../shared-protocol/ids.js';
import type { EncryptionPolicy } from '../../shared-protocol/encryption-policy.js';
import type { PeerSocket, Random } from '../environment.js';
import { PROTOCOL_HEADER } from './constants.js';
import type { CloseReason } from './errors.js';
import { MseHandshake } from './mse/handshake.js';
import type { Rc4, Rc4Machines } from './mse/rc4.js';
import { CRYPTO, type MseProgress } from './mse/types.js';

/** The parts that all connections of an engine share. */
export interface ChannelSecurity {
  readonly policy: EncryptionPolicy;
  readonly random: Random;
  readonly machines: Rc4Machines;
  /** The torrent whose HASH('req2', info hash) this is, in hex (MSE). */
  findTorrent(obfuscatedHash: string): InfoHash | null;
}

/** Says who speaks first and how. `encrypted`: begin with an MSE handshake. */
export type ChannelStart =
  | { readonly kind: 'incoming' }
  | { readonly kind: 'outgoing'; readonly infoHash: InfoHash; readonly encrypted: boolean };

export interface ChannelEvents {
  /** Plain payload; valid during the call. */
  onPlain(bytes: Uint8Array): void;
  onChannelFailed(reason: CloseReason): void;
}

/** How a connection is protected: not at all, its handshake only, or all of it. */
export type ChannelProtection = 'none' | 'handshake' | 'rc4';

interface Held {
  readonly bytes: Uint8Array;
  readonly done: (() => void) | undefined;
}

const EMPTY = new Uint8Array(0);

export class SecureChannel {
  #state: 'undecided' | 'handshake' | 'open' | 'failed';
  #head: Uint8Array = EMPTY;
  #handshake: MseHandshake | null = null;
  #encrypt: Rc4 | null = null;
  #decrypt: Rc4 | null = null;
  #protection: ChannelProtection = 'none';
  /** Written before the handshake was through. */
  #held: Held[] = [];

  constructor(
    private readonly socket: PeerSocket,
    private readonly security: ChannelSecurity,
    private readonly start: ChannelStart,
    private readonly events: ChannelEvents,
  ) {
    if (start.kind === 'incoming') this.#state = 'undecided';
    else this.#state = start.encrypted ? 'handshake' : 'open';
  }

  get protection(): ChannelProtection {
    return this.#protection;
  }

  /** An encrypted handshake has begun and is not through. */
  get isNegotiating(): boolean {
    return this.#state === 'handshake';
  }

  /** Outgoing: the socket is connected. */
  onConnect(): void {
    const { start, security } = this;
    if (start.kind !== 'outgoing' || this.#state !== 'handshake') return;
    this.#handshake = MseHandshake.initiate(this.#deps(), {
      infoHash: start.infoHash,
      provide: security.policy === 'required' ? CRYPTO.rc4 : CRYPTO.plaintext | CRYPTO.rc4,
      takeInitialPayload: () => this.#takeHeld(),
    });
  }

  /** Bytes from the socket; they are changed in place. */
  receive(bytes: Uint8Array): void {
    if (this.#state === 'open') {
      this.#decrypt?.apply(bytes);
      this.events.onPlain(bytes);
    } else if (this.#state === 'handshake') this.#negotiate(bytes);
    else if (this.#state === 'undecided') this.#decide(bytes);
  }

  /** `isOurs`: the bytes may be enciphered where they are; else they are copied first. */
  write(bytes: Uint8Array, isOurs: boolean, done?: () => void): void {
    const mustCopy = !isOurs && (this.#encrypt !== null || this.#state === 'handshake');
    // Not `slice`: that of a Buffer copies nothing.
    const own = mustCopy ? new Uint8Array(bytes) : bytes;
    if (this.#state === 'handshake') {
      this.#held.push({ bytes: own, done });
      return;
    }
    this.#encrypt?.apply(own);
    this.socket.write(own, done);
  }

  /** Nothing held will be sent any more. */
  close(): void {
    this.#state = 'failed';
    const held = this.#held;
    this.#held = [];
    for (const { done } of held) done?.();
  }

  /** Plain peers begin with the protocol header (BEP 3), all others with a key. */
  #decide(bytes: Uint8Array): void {
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const seen = this.#head.subarray(0, PROTOCOL_HEADER.length);
    const isPlain = seen.every((byte, at) => byte === PROTOCOL_HEADER[at]);
    if (isPlain && seen.length < PROTOCOL_HEADER.length) {
      this.#head = new Uint8Array(this.#head);
      return;
    }
    const head = this.#head;
    this.#head = EMPTY;
    const { policy, findTorrent } = this.security;
    if (isPlain && policy === 'required') return this.#fail('ENCRYPTION_REQUIRED');
    if (isPlain || policy === 'off') {
      this.#state = 'open';
      return this.events.onPlain(head);
    }
    this.#state = 'handshake';
    this.#handshake = MseHandshake.respond(this.#deps(), {
      accept: policy === 'required' ? CRYPTO.rc4 : CRYPTO.plaintext | CRYPTO.rc4,
      findTorrent: (hash) => findTorrent(hash),
    });
    this.#negotiate(head);
  }

  #negotiate(bytes: Uint8Array): void {
    const progress: MseProgress = this.#handshake?.push(bytes) ?? { kind: 'more' };
    if (progress.kind === 'failed') return this.#fail(progress.reason);
    if (progress.kind === 'more') return;
    this.#handshake = null;
    this.#state = 'open';
    this.#encrypt = progress.encrypt;
    this.#decrypt = progress.decrypt;
    this.#protection = progress.encrypt ? 'rc4' : 'handshake';
    const held = this.#held;
    this.#held = [];
    for (const { bytes: own, done } of held) this.write(own, true, done);
    if (progress.early.length > 0) this.events.onPlain(progress.early);
  }

  /** The bytes said so far, which go within the handshake and save a round trip. */
  #takeHeld(): Uint8Array {
    const held = this.#held;
    this.#held = [];
    for (const { done } of held) done?.();
    return Buffer.concat(held.map(({ bytes }) => bytes));
  }

  #deps(): { random: Random; machines: Rc4Machines; send: (bytes: Uint8Array) => void } {
    const { random, machines } = this.security;
    return { random, machines, send: (bytes) => this.socket.write(bytes) };
  }

  #fail(reason: CloseReason): void {
    this.#state = 'failed';
    this.events.onChannelFailed(reason);
  }
}
