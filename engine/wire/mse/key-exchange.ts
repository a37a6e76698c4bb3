// MSE's Diffie-Hellman exchange and what is derived from its secret. Node checks a group's prime each time a
// DiffieHellman is made (35 ms), so one object serves all connections and is given each one's private key when needed;
// with the 160-bit exponents the specification asks for a step takes 0.1 ms.
import { createDiffieHellman, createHash } from 'node:crypto';
import type { Random } from '../../environment.js';
import { Rc4, type Rc4Machines } from './rc4.js';

/** MSE: "P, S and Y are 768 bits". */
export const KEY_BYTES = 96;
const PRIVATE_KEY_BYTES = 20;
const PRIME =
  'ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd' +
  'ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a63a36210000000000090563';
const GENERATOR = 2;

let group: ReturnType<typeof createDiffieHellman> | null = null;

export interface KeyPair {
  readonly publicKey: Uint8Array;
  /** The shared secret; null for a remote key that no honest peer sends (0, 1, P - 1, …). */
  secretWith(remoteKey: Uint8Array): Uint8Array | null;
}

export function createKeyPair(random: Random): KeyPair {
  const privateKey = Buffer.from(random.bytes(PRIVATE_KEY_BYTES));
  const dh = withPrivateKey(privateKey);
  return {
    publicKey: padded(dh.generateKeys()),
    secretWith(remoteKey) {
      try {
        return padded(withPrivateKey(privateKey).computeSecret(remoteKey));
      } catch {
        return null;
      }
    },
  };
}

/** `obfuscated`: HASH('req2', SKEY), by which an incoming connection names its torrent. */
export function hashOf(label: 'req1' | 'req2' | 'req3', secret: Uint8Array): Uint8Array {
  return sha1(label, secret);
}

/** The cipher of what the initiator (A) or the responder (B) sends. SKEY is the info hash. */
export function cipherOf(sender: 'A' | 'B', secret: Uint8Array, infoHash: Uint8Array, machines: Rc4Machines): Rc4 {
  return new Rc4(machines, sha1(sender === 'A' ? 'keyA' : 'keyB', secret, infoHash));
}

export function xor(left: Uint8Array, right: Uint8Array): Uint8Array {
  return left.map((byte, at) => byte ^ right[at]!);
}

function withPrivateKey(privateKey: Buffer): ReturnType<typeof createDiffieHellman> {
  group ??= createDiffieHellman(PRIME, 'hex', GENERATOR);
  group.setPrivateKey(privateKey);
  return group;
}

function sha1(label: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha1').update(label);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Node leaves out leading zeroes. */
function padded(key: Buffer): Uint8Array {
  const bytes = new Uint8Array(KEY_BYTES);
  bytes.set(key, KEY_BYTES - key.length);
  return bytes;
}
