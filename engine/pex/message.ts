// Reads a peer exchange message (BEP 11) as far as it can be trusted: types and lengths are checked, and what goes
// beyond BEP 11's 50 added and 50 dropped is cut off, so that the reader has at most 100 addresses to handle.
import { asBytes, asDictionary, decodeBencode, EXTENSION_LIMITS, type BencodeDictionary } from '../metainfo/index.js';
import { MAX_PEX_MESSAGE_BYTES, MAX_PEX_PEERS } from './limits.js';

/** Address and port of BEP 23 and BEP 7. */
const IPV4_BYTES = 6;
const IPV6_BYTES = 18;
const EMPTY: Uint8Array = new Uint8Array(0);

/** The keys of BEP 11; as many flags as addresses. */
export interface PexFields {
  readonly added: Uint8Array;
  readonly 'added.f': Uint8Array;
  readonly added6: Uint8Array;
  readonly 'added6.f': Uint8Array;
  readonly dropped: Uint8Array;
  readonly dropped6: Uint8Array;
}

interface Entry {
  readonly address: Uint8Array;
  readonly flags: number;
}

/** The message, or what is wrong with it. Absent keys are empty, absent flags 0; addresses with port 0 are left out. */
export function readPexMessage(payload: Uint8Array): PexFields | string {
  if (payload.length > MAX_PEX_MESSAGE_BYTES) return `message of ${payload.length} bytes`;
  try {
    const message = asDictionary(decodeBencode(payload, EXTENSION_LIMITS));
    if (!message) return 'message is no dictionary';
    const field = (key: keyof PexFields): Uint8Array => bytesOf(message, key);
    const added = share(
      entries(field('added'), IPV4_BYTES, field('added.f')),
      entries(field('added6'), IPV6_BYTES, field('added6.f')),
    );
    const dropped = share(entries(field('dropped'), IPV4_BYTES), entries(field('dropped6'), IPV6_BYTES));
    return {
      added: addressesOf(added.ipv4),
      'added.f': flagsOf(added.ipv4),
      added6: addressesOf(added.ipv6),
      'added6.f': flagsOf(added.ipv6),
      dropped: addressesOf(dropped.ipv4),
      dropped6: addressesOf(dropped.ipv6),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function bytesOf(message: BencodeDictionary, key: keyof PexFields): Uint8Array {
  if (!message.has(key)) return EMPTY;
  const bytes = asBytes(message.get(key));
  if (!bytes) throw new TypeError(`${key} is no string`);
  const entryBytes = key.endsWith('.f') ? 1 : key.endsWith('6') ? IPV6_BYTES : IPV4_BYTES;
  if (bytes.length % entryBytes !== 0) throw new RangeError(`${key} has ${bytes.length} bytes`);
  return bytes;
}

/** No more than a message may have. */
function entries(addresses: Uint8Array, entryBytes: number, flags = EMPTY): Entry[] {
  const found: Entry[] = [];
  for (let i = 0; i * entryBytes < addresses.length && found.length < MAX_PEX_PEERS; i++) {
    const address = addresses.subarray(i * entryBytes, (i + 1) * entryBytes);
    const isPortZero = address[entryBytes - 2] === 0 && address[entryBytes - 1] === 0;
    if (!isPortZero) found.push({ address, flags: flags[i] ?? 0 });
  }
  return found;
}

/** Half of the room belongs to each family, so that neither keeps the other out. */
function share(ipv4: readonly Entry[], ipv6: readonly Entry[]): { ipv4: readonly Entry[]; ipv6: readonly Entry[] } {
  const kept6 = ipv6.slice(0, Math.max(MAX_PEX_PEERS / 2, MAX_PEX_PEERS - ipv4.length));
  return { ipv4: ipv4.slice(0, MAX_PEX_PEERS - kept6.length), ipv6: kept6 };
}

function addressesOf(kept: readonly Entry[]): Uint8Array {
  return Buffer.concat(kept.map(({ address }) => address));
}

function flagsOf(kept: readonly Entry[]): Uint8Array {
  return Uint8Array.from(kept, ({ flags }) => flags);
}
