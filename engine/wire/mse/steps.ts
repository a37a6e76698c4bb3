// The two sides of an MSE handshake as the specification writes them, each a generator that asks for what it needs to
// read next. Who drives them has the bytes (handshake.ts).
//
//   1  A => B  Ya, PadA
//   2  B => A  Yb, PadB
//   3  A => B  HASH('req1', S), HASH('req2', SKEY) xor HASH('req3', S),
//              ENCRYPT(VC, crypto_provide, len(PadC), PadC, len(IA)), ENCRYPT(IA)
//   4  B => A  ENCRYPT(VC, crypto_select, len(PadD), PadD), then the payload both ways
import { cipherOf, createKeyPair, hashOf, KEY_BYTES, xor } from './key-exchange.js';
import type { Rc4 } from './rc4.js';
import { CRYPTO, type InitiatorOptions, type MseDeps, type MseFailure, type ResponderOptions } from './types.js';

/** So many bytes, or everything up to and with a pattern that begins within so many. */
export type Need =
  | { readonly kind: 'bytes'; readonly count: number }
  | { readonly kind: 'pattern'; readonly pattern: Uint8Array; readonly within: number };

export interface Agreed {
  readonly encrypt: Rc4 | null;
  readonly decrypt: Rc4 | null;
  /** The initiator's first payload, deciphered. */
  readonly initial: Uint8Array;
}

/** Yields what it needs, is given what was asked for; what it returns is final. */
export type Steps = Generator<Need, Agreed | MseFailure, Uint8Array>;

/** MSE: PadA to PadD have 0 to 512 random bytes. */
const MAX_PAD_BYTES = 512;
/** MSE: the verification constant, eight zeroes. */
const VC_BYTES = 8;
const HASH_BYTES = 20;
/** VC, crypto_provide, len(PadC). */
const OFFER_BYTES = VC_BYTES + 4 + 2;
/** No spec value; all that clients send here is a handshake of 68 bytes and a few messages. */
const MAX_INITIAL_BYTES = 16 * 1024;
const EMPTY = new Uint8Array(0);

export function* initiatorSteps(deps: MseDeps, options: InitiatorOptions): Steps {
  const keys = createKeyPair(deps.random);
  deps.send(Buffer.concat([keys.publicKey, pad(deps)]));
  const secret = keys.secretWith(yield bytes(KEY_BYTES));
  if (!secret) return 'MSE_INVALID';
  const infoHash = Buffer.from(options.infoHash, 'hex');
  const encrypt = cipherOf('A', secret, infoHash, deps.machines);
  const decrypt = cipherOf('B', secret, infoHash, deps.machines);

  const padC = pad(deps);
  const initial = options.takeInitialPayload();
  const offer = Buffer.alloc(OFFER_BYTES + padC.length + 2 + initial.length);
  offer.writeUInt32BE(options.provide, VC_BYTES);
  offer.writeUInt16BE(padC.length, VC_BYTES + 4);
  offer.set(padC, OFFER_BYTES);
  offer.writeUInt16BE(initial.length, OFFER_BYTES + padC.length);
  offer.set(initial, OFFER_BYTES + padC.length + 2);
  encrypt.apply(offer);
  const name = xor(hashOf('req2', infoHash), hashOf('req3', secret));
  deps.send(Buffer.concat([hashOf('req1', secret), name, offer]));

  const sync = new Uint8Array(VC_BYTES);
  decrypt.apply(sync);
  yield pattern(sync);
  const answer = deciphered(decrypt, yield bytes(4 + 2));
  const selected = answer.readUInt32BE(0);
  const padD = answer.readUInt16BE(4);
  if (padD > MAX_PAD_BYTES) return 'MSE_INVALID';
  deciphered(decrypt, yield bytes(padD));
  if ((selected & options.provide) === 0 || (selected !== CRYPTO.plaintext && selected !== CRYPTO.rc4)) {
    return 'MSE_NO_COMMON_METHOD';
  }
  const isPlain = selected === CRYPTO.plaintext;
  return { encrypt: isPlain ? null : encrypt, decrypt: isPlain ? null : decrypt, initial: EMPTY };
}

export function* responderSteps(deps: MseDeps, options: ResponderOptions): Steps {
  const remoteKey = yield bytes(KEY_BYTES);
  const keys = createKeyPair(deps.random);
  const secret = keys.secretWith(remoteKey);
  if (!secret) return 'MSE_INVALID';
  deps.send(Buffer.concat([keys.publicKey, pad(deps)]));

  yield pattern(hashOf('req1', secret));
  const name = xor(yield bytes(HASH_BYTES), hashOf('req3', secret));
  const found = options.findTorrent(Buffer.from(name).toString('hex'));
  if (found === null) return 'MSE_UNKNOWN_TORRENT';
  const infoHash = Buffer.from(found, 'hex');
  const decrypt = cipherOf('A', secret, infoHash, deps.machines);
  const encrypt = cipherOf('B', secret, infoHash, deps.machines);

  const offer = deciphered(decrypt, yield bytes(OFFER_BYTES));
  if (offer.subarray(0, VC_BYTES).some((byte) => byte !== 0)) return 'MSE_INVALID';
  const provided = offer.readUInt32BE(VC_BYTES);
  const padC = offer.readUInt16BE(VC_BYTES + 4);
  if (padC > MAX_PAD_BYTES) return 'MSE_INVALID';
  deciphered(decrypt, yield bytes(padC));
  const initialLength = deciphered(decrypt, yield bytes(2)).readUInt16BE(0);
  if (initialLength > MAX_INITIAL_BYTES) return 'MSE_INVALID';
  const initial = deciphered(decrypt, yield bytes(initialLength));

  const common = provided & options.accept;
  const selected = common & CRYPTO.plaintext || common & CRYPTO.rc4;
  if (selected === 0) return 'MSE_NO_COMMON_METHOD';
  const padD = pad(deps);
  const answer = Buffer.alloc(VC_BYTES + 4 + 2 + padD.length);
  answer.writeUInt32BE(selected, VC_BYTES);
  answer.writeUInt16BE(padD.length, VC_BYTES + 4);
  answer.set(padD, VC_BYTES + 4 + 2);
  encrypt.apply(answer);
  deps.send(answer);
  const isPlain = selected === CRYPTO.plaintext;
  return { encrypt: isPlain ? null : encrypt, decrypt: isPlain ? null : decrypt, initial };
}

function bytes(count: number): Need {
  return { kind: 'bytes', count };
}

/** Asks for the bytes up to a pattern: what comes before it is padding. */
function pattern(wanted: Uint8Array): Need {
  return { kind: 'pattern', pattern: wanted, within: MAX_PAD_BYTES };
}

function pad({ random }: MseDeps): Uint8Array {
  return random.bytes(random.below(MAX_PAD_BYTES + 1));
}

function deciphered(cipher: Rc4, received: Uint8Array): Buffer {
  const copy = Buffer.from(received);
  cipher.apply(copy);
  return copy;
}
