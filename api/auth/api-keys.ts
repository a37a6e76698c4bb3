// API keys: 32 random bytes, shown once; kept are their SHA-256 and the last four characters. A key is long and random,
// so a fast digest is enough; comparing takes the same time wherever digests differ.
import { createHash, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
const HINT_LENGTH = 4;

export interface NewApiKey {
  readonly key: string;
  /** Hex. */
  readonly digest: string;
  readonly hint: string;
}

export function newApiKey(randomBytes: (length: number) => Uint8Array): NewApiKey {
  const key = Buffer.from(randomBytes(KEY_BYTES)).toString('base64url');
  return { key, digest: digestOf(key), hint: key.slice(-HINT_LENGTH) };
}

/** Whether a text has the form of a key, which tokens of sessions have as well. */
export function isKeyLike(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export function sameDigest(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}
