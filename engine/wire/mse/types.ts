// What a Message Stream Encryption handshake needs and what comes of it (MSE/PE specification, Azureus wiki).
import type { InfoHash } from '../../../shared-protocol/ids.js';
import type { Random } from '../../environment.js';
import type { Rc4, Rc4Machines } from './rc4.js';

/** Methods by which the payload travels behind the handshake; the values are MSE's `crypto_provide` bits. */
export const CRYPTO = { plaintext: 1, rc4: 2 } as const;

export interface MseDeps {
  readonly random: Random;
  readonly machines: Rc4Machines;
  /** Bytes for the remote, owned by the receiver. */
  send(bytes: Uint8Array): void;
}

export interface InitiatorOptions {
  readonly infoHash: InfoHash;
  /** Bits of {@link CRYPTO}. */
  readonly provide: number;
  /** The bytes to say first, enciphered within the handshake (`IA`); asked for when they are needed. */
  takeInitialPayload(): Uint8Array;
}

export interface ResponderOptions {
  /** Bits of {@link CRYPTO} that will do. Where the remote offers both, plaintext is chosen: it costs nothing. */
  readonly accept: number;
  /** The torrent whose HASH('req2', info hash) this is, in hex; null when we have none. */
  findTorrent(obfuscatedHash: string): InfoHash | null;
}

export interface MseEstablished {
  /** Ciphers of what is sent and received from here on; null: as it is. */
  readonly encrypt: Rc4 | null;
  readonly decrypt: Rc4 | null;
  /** Payload that came with the handshake, deciphered. */
  readonly early: Uint8Array;
}

export type MseFailure = 'MSE_SYNC_LOST' | 'MSE_INVALID' | 'MSE_UNKNOWN_TORRENT' | 'MSE_NO_COMMON_METHOD';

export type MseProgress =
  | { readonly kind: 'more' }
  | ({ readonly kind: 'established' } & MseEstablished)
  | { readonly kind: 'failed'; readonly reason: MseFailure };
