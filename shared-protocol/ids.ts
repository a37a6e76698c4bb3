// Branded ids and their parsers. Casts to a brand live in this file only.
import { AppError } from './errors.js';

declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** SHA-1 of the info dictionary (BEP 3): 40 lower-case hex digits. */
export type InfoHash = Branded<string, 'InfoHash'>;
/** The info hash, which identifies a torrent in commands, events and routes. */
export type TorrentId = InfoHash;
/** 20 bytes chosen by a client for itself (BEP 3, BEP 20), as 40 lower-case hex digits. */
export type PeerId = Branded<string, 'PeerId'>;
/** Number of an account; 1 is the first administrator. */
export type AccountId = Branded<number, 'AccountId'>;

/** The account that exists from the first start and owns what no other account owns. */
export const ADMIN_ACCOUNT_ID = 1 as AccountId;

const HEX_40 = /^[0-9a-fA-F]{40}$/;

/** @throws AppError `INFO_HASH_INVALID` */
export function parseInfoHash(text: string): InfoHash {
  if (!HEX_40.test(text)) throw new AppError('INFO_HASH_INVALID', 'info hash: expected 40 hexadecimal digits');
  return text.toLowerCase() as InfoHash;
}

/** Whether a text is an info hash as it is written here. */
export function isInfoHash(text: string): text is InfoHash {
  return HEX_40.test(text) && text === text.toLowerCase();
}

/** The info hash held by 20 bytes. */
export function infoHashFromBytes(bytes: Uint8Array): InfoHash {
  return parseInfoHash(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex'));
}

/** @throws AppError `PEER_ID_INVALID` */
export function parsePeerId(text: string): PeerId {
  if (!HEX_40.test(text)) throw new AppError('PEER_ID_INVALID', 'peer id: expected 40 hexadecimal digits');
  return text.toLowerCase() as PeerId;
}

/** @throws AppError `ACCOUNT_ID_INVALID` */
export function parseAccountId(value: number): AccountId {
  if (!Number.isSafeInteger(value) || value < 1) throw new AppError('ACCOUNT_ID_INVALID', `account id: ${value}`);
  return value as AccountId;
}
