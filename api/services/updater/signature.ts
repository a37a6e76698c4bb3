// Who may say what the newest release is: the holder of the private key to the public one that this program was built
// with, or was given by --update-key. The signature of a manifest lies beside it (`manifest.json.sig`: 64 bytes in
// base64, ed25519, over the manifest byte for byte). Without a key HTTPS and the digests in the manifest are all there
// is.
import { createPublicKey, verify } from 'node:crypto';
import { updateFailed } from './failure.js';

/** The key of this build's releases: 32 bytes in base64; empty: none, and manifests are not asked for a signature. */
export const UPDATE_PUBLIC_KEY = '';

export const MAX_SIGNATURE_BYTES = 1024;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The bytes before the key in its DER form (RFC 8410 section 4). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether it can be used as such: 32 bytes in base64. */
export function isPublicKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === KEY_BYTES;
}

export function signatureUrl(manifestUrl: string): string {
  const url = new URL(manifestUrl);
  url.pathname += '.sig';
  return url.href;
}

/** @throws RequestError `UPDATE_FAILED` unless it is the key's signature of the manifest */
export function checkSignature(manifest: Uint8Array, signature: Uint8Array, publicKey: string): void {
  const text = Buffer.from(signature).toString('latin1').trim();
  const bytes = Buffer.from(text, 'base64');
  const isWhole = bytes.length === SIGNATURE_BYTES && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  const der = Buffer.concat([SPKI_PREFIX, Buffer.from(publicKey, 'base64')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  if (!isWhole || !verify(null, manifest, key, bytes))
    throw updateFailed('release manifest: not signed by the key of updates');
}
