// Extension messages (BEP 10) are looked at before the wire's recursive decoder sees them: an extended handshake
// must be a small, shallow dictionary, and `m` must map names to integers: the wire calls `toString` on what it
// finds there and in its prototype. Other extension messages are checked by their own extension.
import { asDictionary, decodeBencode, EXTENSION_LIMITS, scanBencode, type BencodeValue } from '../metainfo/index.js';

/** A frame's length prefix and message id come before the extension id. */
const EXTENSION_ID_AT = 5;
const HANDSHAKE_ID = 0;
/** No spec value; real ones are a few hundred bytes. */
const MAX_HANDSHAKE_BYTES = 64 * 1024;

/** `frame` has passed the length check, so the extension id is there. */
export function isAcceptableExtended(frame: Uint8Array): boolean {
  if (frame[EXTENSION_ID_AT] !== HANDSHAKE_ID) return true;
  if (frame.length > MAX_HANDSHAKE_BYTES) return false;
  const body = frame.subarray(EXTENSION_ID_AT + 1);
  try {
    scanBencode(body, EXTENSION_LIMITS);
    return isHandshake(decodeBencode(body, EXTENSION_LIMITS));
  } catch {
    return false;
  }
}

function isHandshake(value: BencodeValue): boolean {
  const handshake = asDictionary(value);
  // The wire's decoder assigns keys to a plain object, where this one would replace the prototype.
  if (!handshake || handshake.has('__proto__')) return false;
  const names = handshake.get('m');
  if (names === undefined) return true;
  return [...(asDictionary(names)?.values() ?? [null])].every((id) => typeof id === 'number' || typeof id === 'bigint');
}
