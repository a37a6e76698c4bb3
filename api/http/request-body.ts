// The body of a request to a JSON route: 1 MiB at most (docs/semantics.md section 1), declared or not. Uploads are read
// by their route, as a stream.
import type { Request, Response } from 'express';
import express from 'express';
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

/** Reads what {@link bodyOf} then shows. Rejects with an error of express that carries a status. */
export function bodyReader(): (request: Request, response: Response) => Promise<void> {
  const read = express.raw({ type: () => true, limit: MAX_JSON_BODY_BYTES });
  return (request, response) =>
    new Promise((resolve, reject) => {
      read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error)));
    });
}

/** Undefined for none, and for uploads. */
export function bodyOf({ body }: Request): Buffer | undefined {
  return Buffer.isBuffer(body) ? body : undefined;
}
