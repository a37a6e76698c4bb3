// A torrent as it lies beside its files on a shared root: all that is stored of it but the info dictionary, which never changes and
// has a file of its own. Whoever reads it has other software than who wrote it, at times: unknown fields of rows are kept.
import { pack, unpack } from 'msgpackr';
import { z } from 'zod';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { ResumeRow, StoredTorrent, TorrentRow } from '../types.js';

const VERSION = 1;

export type Entry = Omit<StoredTorrent, 'infoBytes'> & {
  /** Whether the info dictionary is known, and lies beside it. */
  readonly hasInfo: boolean;
};

const parts = z.array(z.tuple([z.int().min(0), z.instanceof(Uint8Array)]));
const texts = z.array(z.string());
/** Fields that each torrent has: without one of them a start would fail for all. */
const rowSchema = z.looseObject({
  ...{ id: z.string(), savePath: z.string(), ownerId: z.int().min(1), name: z.string() },
  ...{ addedAt: z.number(), completedAt: z.number().nullable(), paused: z.boolean(), sequential: z.boolean() },
  ...{ trackers: z.array(texts), webSeeds: texts, filePriorities: texts.nullable() },
  ...{ summary: z.looseObject({}).nullable(), selectOnly: z.array(z.looseObject({})).nullable() },
});
const resumeSchema = z.looseObject({
  ...{ have: z.instanceof(Uint8Array), files: z.array(z.looseObject({})), savedAt: z.number() },
  ...{ bytesDone: z.number(), wantedDone: z.number(), wantedBytes: z.number() },
  ...{ uploadedBytes: z.number(), downloadedBytes: z.number() },
});
const entrySchema = z.object({
  version: z.literal(VERSION),
  row: rowSchema,
  hasInfo: z.boolean(),
  resume: resumeSchema.nullable(),
  claims: parts,
  pathLists: parts,
});

export function encodeEntry({ row, infoBytes, resume, claims, pathLists }: StoredTorrent): Uint8Array {
  const lists = { claims: [...claims], pathLists: [...pathLists] };
  return pack({ version: VERSION, row, hasInfo: infoBytes !== null, resume, ...lists });
}

/** The entry of a torrent; null: the bytes are none, or another's. */
export function decodeEntry(id: TorrentId, bytes: Uint8Array): Entry | null {
  let value: unknown;
  try {
    value = unpack(bytes);
  } catch {
    return null;
  }
  const entry = entrySchema.safeParse(value).data;
  if (entry?.row.id !== id) return null;
  return {
    // Rows are read by whoever reads those of the store: fields that are not known here are left as they are.
    row: entry.row as unknown as TorrentRow,
    resume: entry.resume as unknown as ResumeRow | null,
    hasInfo: entry.hasInfo,
    claims: new Map(entry.claims),
    pathLists: new Map(entry.pathLists),
  };
}
