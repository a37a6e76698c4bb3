// The body of a request: JSON whatever its type says, as tools send it under several, read when its sender was let in, in
// a slot of its account (http/bodies/bodies.ts).
import type { Request } from 'express';
import { RequestError } from '../../errors.js';
import type { BodyReception } from '../deps.js';
import { MAX_REST_BYTES, MetainfoCutter } from './metainfo-cutter.js';

/** A torrent file of 10 MiB in Base64, and a little. */
const MAX_BODY_BYTES = 14 * 1024 * 1024;

export interface RequestBody {
  /** Without torrent files, whose places among `files` stand in their stead; undefined: it is no JSON. */
  readonly value: unknown;
  readonly files: readonly Uint8Array[];
  /** Length as it came. */
  readonly bytes: number;
}

/** @throws RequestError `BODY_TOO_LARGE`, `UPLOAD_TOO_LARGE`, `BODY_INVALID`, `TOO_MANY_BODIES`, `BODY_STALLED`; AppError `STORAGE_FAILED` */
export function readRequestBody(bodies: BodyReception, source: string, request: Request): Promise<RequestBody> {
  const length = Number(request.headers['content-length'] ?? Infinity);
  if (length > MAX_BODY_BYTES && length !== Infinity) throw new RequestError('BODY_TOO_LARGE');
  return bodies.receive(length <= MAX_REST_BYTES ? 'json' : 'upload', source, request, () => read(bodies, request));
}

async function read(bodies: BodyReception, request: Request): Promise<RequestBody> {
  const cutter = new MetainfoCutter(() => bodies.spooled());
  let length = 0;
  try {
    // What is refused is answered, so that the request is not to be destroyed with its connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) throw new RequestError('BODY_TOO_LARGE');
      await cutter.push(chunk);
    }
    return { value: parsed(cutter.rest()), files: await cutter.files(), bytes: length };
  } catch (error) {
    throw request.destroyed && !request.complete ? new RequestError('BODY_INVALID', 'body: ended early') : error;
  } finally {
    await cutter.discard();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
