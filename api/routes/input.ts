// What a route takes, and how it is read: `take` before access to a named torrent is checked, `check` after.
import type { z } from 'zod';
import { AppError } from '../../shared-protocol/errors.js';
import { RequestError } from '../errors.js';
import { importArchiveQuerySchema, type ImportArchiveDto } from '../../shared-protocol/dto/import-archives.js';
import type { Admitted, Upload } from './admitted.js';
import { refuseLongLists } from './long-lists.js';
import { inputRefused } from './validation-message.js';

export interface Input<Value> {
  readonly kind: 'none' | 'json' | 'query' | 'upload' | 'archive';
  /** null for none and uploads. */
  readonly schema: z.ZodType | null;
  /** Takes the input as it came, not checked. @throws RequestError `BODY_INVALID` for what is no JSON */
  readonly take: (admitted: Admitted) => unknown;
  /** @throws RequestError `BODY_INVALID`, `UPLOAD_TOO_LARGE` */
  readonly check: (raw: unknown, admitted: Admitted) => Value | Promise<Value>;
}

/** Whatever comes with the request is ignored. */
export const noInput: Input<null> = { kind: 'none', schema: null, take: () => null, check: () => null };

/** JSON, whatever the Content-Type says; unknown fields are ignored. */
export function jsonInput<Value>(schema: z.ZodType<Value>): Input<Value> {
  return { kind: 'json', schema, take: ({ body }) => parseJson(body), check: (raw) => check(schema, raw) };
}

export function queryInput<Value>(schema: z.ZodType<Value>): Input<Value> {
  return { kind: 'query', schema, take: ({ query }) => query, check: (raw) => check(schema, raw) };
}

/** multipart/form-data with a `.torrent` file. */
export const uploadInput: Input<Upload> = {
  kind: 'upload',
  schema: null,
  take: () => null,
  check: (_raw, { upload }) => {
    if (!upload) throw new AppError('BUG', 'bug: an upload is read before its route is run');
    return upload;
  },
};

/** The bytes of an archive as the body, and which part of it they are in the query. */
export const archiveInput: Input<ImportArchiveDto> = {
  kind: 'archive',
  schema: importArchiveQuerySchema,
  take: () => null,
  check: (_raw, { archive }) => {
    if (!archive) throw new AppError('BUG', 'bug: an archive is read before its route is run');
    return archive;
  },
};

function parseJson(body: Buffer | undefined): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse((body ?? Buffer.alloc(0)).toString('utf8'));
  } catch {
    throw new RequestError('BODY_INVALID', 'body: not valid JSON');
  }
  refuseLongLists(parsed);
  return parsed;
}

/** The input as the schema has it. @throws RequestError `BODY_INVALID` naming the first field that is wrong */
export function check<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw inputRefused(parsed.error.issues[0]);
}
