// The body of a request to a JSON route: 1 MiB at most (docs/semantics.md section 1), declared or not. Uploads are read
// by their route, as a stream.
import type { Request, Response } from 'express';
import express from 'express';
import { CollectedBytes } from '../../shared-protocol/collected-bytes.js';
import { RequestError } from '../errors.js';
import type { Input } from '../routes/input.js';
import { checkDeclaredArchive } from './bodies/archive.js';
import { checkDeclaredLength } from './bodies/upload.js';

const MAX_JSON_BODY_BYTES = 1024 * 1024;

type Kind = Pick<Input<unknown>, 'kind'>;

/** Judges the declared length, before the credentials. @throws RequestError `BODY_TOO_LARGE`, `UPLOAD_TOO_LARGE` */
export function checkDeclaredBody({ kind }: Kind, request: Request): void {
  if (kind === 'upload') return checkDeclaredLength(request);
  if (kind === 'archive') return checkDeclaredArchive(request);
  if (Number(request.headers['content-length'] ?? 0) > MAX_JSON_BODY_BYTES) throw new RequestError('BODY_TOO_LARGE');
}

export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads what {@link bodyOf} then shows. Rejects with RequestError `BODY_TOO_LARGE`, or an error of express that carries a status. */
export function bodyReader(): (request: Request, response: Response) => Promise<void> {
  // What comes out of a decoder comes in chunks of its own.
  const readEncoded = express.raw({ type: () => true, limit: MAX_JSON_BODY_BYTES });
  return async (request, response) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() === 'identity') return void (request.body = await readPlain(request));
    await new Promise<void>((resolve, reject) => {
      readEncoded(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error)));
    });
  };
}

/** @throws RequestError `BODY_TOO_LARGE`, `BODY_INVALID` */
async function readPlain(request: Request): Promise<Buffer> {
  const body = new CollectedBytes();
  try {
    // What is refused is answered, so that the request is not to be destroyed with its connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (body.length + chunk.length > MAX_JSON_BODY_BYTES) throw new RequestError('BODY_TOO_LARGE');
      body.add(chunk);
    }
  } catch (error) {
    request.resume();
    throw error instanceof RequestError ? error : new RequestError('BODY_INVALID', 'body: ended early');
  }
  return Buffer.from(body.take().buffer);
}

/** Undefined for none, and for uploads. */
export function bodyOf({ body }: Request): Buffer | undefined {
  return Buffer.isBuffer(body) ? body : undefined;
}
