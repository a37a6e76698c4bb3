// The list that is in force, as it lies in the data directory: read at start before any peer is connected to, so that
// there is no time without it, and without asking the network. A copy that is damaged, of another version or of another
// URL counts for none. A header, the ranges as they are in memory, and the SHA-256 of all that.
import { createHash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { IPV4_RANGE_BYTES, IPV6_RANGE_BYTES, type AddressRanges } from '../../../shared-protocol/address-ranges.js';
import { isErrno, replaceFile } from '../../../storage/atomic-file.js';
import { fillFromFile } from '../../../storage/fill-from-file.js';

/** Read in the machine's byte order, in which the ranges are too: a copy from another machine is none. */
const MAGIC = 0x5357_4201;
const PREFIX_BYTES = 8;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_RANGES_BYTES = 128 * 1024 * 1024;
const DIGEST_BYTES = 32;
/** The main thread hashes no more than that at a time. */
const STEP_BYTES = 1024 * 1024;

const headerSchema = z.object({
  url: z.string(),
  etag: z.string().optional(),
  last_modified: z.string().optional(),
  ipv4_bytes: z.int().min(0).max(MAX_RANGES_BYTES).multipleOf(IPV4_RANGE_BYTES),
  ipv6_bytes: z.int().min(0).max(MAX_RANGES_BYTES).multipleOf(IPV6_RANGE_BYTES),
});

/** The marks by which the server may be asked whether there is anything new (RFC 9110). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface HeldList {
  readonly url: string;
  readonly validators: Validators;
  readonly ranges: AddressRanges;
}

export class CachedList {
  constructor(private readonly file: string) {}

  /** Null when there is none of this URL that can be relied on. Never rejects. */
  async read(url: string): Promise<HeldList | null> {
    try {
      const handle = await open(this.file, 'r');
      try {
        return await readFrom(handle, url);
      } finally {
        await handle.close();
      }
    } catch {
      return null;
    }
  }

  /** In place of the one before, durably. @throws what the file system throws */
  async write(list: HeldList): Promise<void> {
    await replaceFile(this.file, contentOf(list));
  }

  /** @throws what the file system throws */
  async drop(): Promise<void> {
    await rm(this.file).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error;
    });
  }
}

async function* contentOf({ url, validators, ranges }: HeldList): AsyncGenerator<Uint8Array> {
  const { etag, lastModified } = validators;
  const header = Buffer.from(
    JSON.stringify({
      url,
      etag,
      last_modified: lastModified,
      ipv4_bytes: ranges.ipv4.byteLength,
      ipv6_bytes: ranges.ipv6.byteLength,
    }),
  );
  const prefix = Buffer.from(Uint32Array.of(MAGIC, header.length).buffer);
  const digest = createHash('sha256');
  for (const part of [prefix, header, new Uint8Array(ranges.ipv4), new Uint8Array(ranges.ipv6)]) {
    for (const step of stepsOf(part)) {
      digest.update(step);
      yield step;
      await nextTurn();
    }
  }
  yield digest.digest();
}

async function readFrom(handle: FileHandle, url: string): Promise<HeldList | null> {
  const digest = createHash('sha256');
  const read = async (into: Uint8Array): Promise<void> => {
    for (const step of stepsOf(into)) {
      await readWhole(handle, step);
      digest.update(step);
    }
  };
  const prefix = new Uint32Array(PREFIX_BYTES / 4);
  await read(new Uint8Array(prefix.buffer));
  const [magic, headerBytes = 0] = prefix;
  if (magic !== MAGIC || headerBytes > MAX_HEADER_BYTES) return null;
  const text = Buffer.alloc(headerBytes);
  await read(text);
  const header = headerSchema.parse(JSON.parse(text.toString()));
  if (header.url !== url) return null;
  const ipv4 = new SharedArrayBuffer(header.ipv4_bytes);
  const ipv6 = new SharedArrayBuffer(header.ipv6_bytes);
  await read(new Uint8Array(ipv4));
  await read(new Uint8Array(ipv6));
  const stored = Buffer.alloc(DIGEST_BYTES);
  await readWhole(handle, stored);
  if (!digest.digest().equals(stored)) return null;
  const { etag, last_modified: lastModified } = header;
  return {
    url,
    validators: { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) },
    ranges: { ipv4, ipv6 },
  };
}

async function readWhole(handle: FileHandle, into: Uint8Array): Promise<void> {
  if ((await fillFromFile(handle, into, null)) < into.length) throw new Error('the file ends too early');
}

function* stepsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += STEP_BYTES) yield bytes.subarray(at, at + STEP_BYTES);
}
