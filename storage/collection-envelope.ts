// How a collection lies in its file: one line of JSON with version, length and SHA-256 of what follows, then the
// data as JSON. Owns the format; a file that is torn, emptied or altered is `damaged`, never half understood.
import { createHash } from 'node:crypto';
import { z } from 'zod';

const FORMAT = 'swarmd-collection';
const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.int().min(1),
  /** Bytes of the body. */
  length: z.int().min(0),
  sha256: z.string(),
});

export type OpenedEnvelope =
  | { readonly kind: 'intact'; readonly version: number; readonly data: unknown }
  | { readonly kind: 'damaged'; readonly reason: string };

export function sealEnvelope(version: number, data: unknown): Buffer {
  const body = Buffer.from(`${JSON.stringify(data, null, 2)}\n`);
  const header = { format: FORMAT, version, length: body.length, sha256: digest(body) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

export function openEnvelope(bytes: Buffer): OpenedEnvelope {
  const end = bytes.indexOf(0x0a);
  if (end < 0) return { kind: 'damaged', reason: 'no header line' };
  const header = headerSchema.safeParse(parseJson(bytes.subarray(0, end)));
  if (!header.success) return { kind: 'damaged', reason: 'header not understood' };
  const body = bytes.subarray(end + 1);
  const { version, length, sha256 } = header.data;
  if (body.length !== length) return { kind: 'damaged', reason: `${body.length} bytes instead of ${length}` };
  if (digest(body) !== sha256) return { kind: 'damaged', reason: 'checksum mismatch' };
  return { kind: 'intact', version, data: parseJson(body) };
}

function digest(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
