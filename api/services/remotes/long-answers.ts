// Which answers of a remote may be long, and how long: all others are short, by what they are. Those that are long are
// understood in a thread, which knows their schemas by these names.
import type { z } from 'zod';
import { inspectedTorrentSchema } from '../../../shared-protocol/dto/adding.js';
import { batchAnswerSchema } from '../../../shared-protocol/dto/batch.js';
import { detailSchema, piecesSchema } from '../../../shared-protocol/dto/inspector.js';
import { categoryListSchema, tagListSchema } from '../../../shared-protocol/dto/labels.js';
import { removalBegunSchema, removalListSchema } from '../../../shared-protocol/dto/removals.js';
import { trackerListSchema } from '../../../shared-protocol/dto/trackers.js';
import { hasFaultInLongList } from './answer-faults.js';
import { hasMoreValuesThan } from './json-values.js';

const MIB = 1024 * 1024;
/** Understood at once: the worst of that size takes some 20 ms. */
export const MAX_SHORT_BYTES = 64 * 1024;

/** The files of a torrent of 200,000 have half as many; at most 300 MB of memory. */
const MAX_VALUES = 3_000_000;

const LONG = {
  /** Files of a torrent: 200,000 of them have some 50 MiB. */
  details: { schema: detailSchema, maxBytes: 64 * MIB },
  /** 10,000 files, whose paths may be long. */
  inspected: { schema: inspectedTorrentSchema, maxBytes: 16 * MIB },
  /** 2,097,152 pieces: a bit and a byte of each, as base64. */
  pieces: { schema: piecesSchema, maxBytes: 4 * MIB },
  trackers: { schema: trackerListSchema, maxBytes: 4 * MIB },
  categories: { schema: categoryListSchema, maxBytes: 4 * MIB },
  tags: { schema: tagListSchema, maxBytes: 4 * MIB },
  /** 20,000 torrents, each with what is wrong with it. */
  batch: { schema: batchAnswerSchema, maxBytes: 16 * MIB },
  removal: { schema: removalBegunSchema, maxBytes: 16 * MIB },
  removals: { schema: removalListSchema, maxBytes: 4 * MIB },
} as const;

export type LongAnswer = keyof typeof LONG;

const NAMES = new Map<z.ZodType, LongAnswer>(
  (Object.keys(LONG) as LongAnswer[]).map((name) => [LONG[name].schema, name]),
);

/** The name of the answers of a schema that may be long; undefined: they are short. */
export function longAnswerOf(schema: z.ZodType): LongAnswer | undefined {
  return NAMES.get(schema);
}

/** Bytes that an answer of the schema may have. */
export function maxBytesOf(schema: z.ZodType): number {
  const name = longAnswerOf(schema);
  return name === undefined ? MAX_SHORT_BYTES : LONG[name].maxBytes;
}

/** The value, without what the schema does not know; undefined: it is none of the schema. */
export function understood<Value>(bytes: Uint8Array, schema: z.ZodType<Value>): Value | undefined {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch {
    return undefined;
  }
  return hasFaultInLongList(schema, json) ? undefined : schema.safeParse(json).data;
}

/** A long answer as the text of what is {@link understood}; null: it is none. */
export function understoodText(bytes: Uint8Array, name: LongAnswer): Uint8Array | null {
  if (hasMoreValuesThan(MAX_VALUES, bytes)) return null;
  const value = understood<unknown>(bytes, LONG[name].schema);
  return value === undefined ? null : new TextEncoder().encode(JSON.stringify(value));
}
