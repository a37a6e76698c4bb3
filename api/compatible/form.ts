// The body of a tool's request: an encoded form, or a multipart one, of which each part with a file name is a torrent
// file, whatever it is called. Read when its sender was let in, in a slot of its account (http/bodies/bodies.ts).
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { CollectedBytes } from '../../shared-protocol/collected-bytes.js';
import { RequestError } from '../errors.js';
import { MAX_TORRENT_FILE_BYTES } from '../services/library/torrent-source.js';
import type { BodyReception, SpooledFile } from './deps.js';
import { Fields } from './fields.js';

const MIB = 1024 * 1024;
const MAX_FORM_BYTES = MIB;
/** To sign in: a user name and a password. */
const MAX_STRANGERS_FORM_BYTES = 16 * 1024;
/** Torrent files of one request; no spec value. Tools send one file, people some dozens. */
const MAX_FILES = 200;
const MAX_FILES_BYTES = 20 * MIB;
const MAX_PARTS = MAX_FILES + 64;
/** Boundaries, part headers and the other fields. */
const SLACK_BYTES = 2 * MIB;

export interface Form {
  readonly fields: Fields;
  readonly files: readonly Uint8Array[];
  /** Length of the fields and files together. */
  readonly bytes: number;
}

export const EMPTY_FORM: Form = { fields: new Fields(new Map()), files: [], bytes: 0 };

/** `source`: of the slot. @throws RequestError `BODY_TOO_LARGE`, `BODY_INVALID`, `TOO_MANY_BODIES`, `BODY_STALLED` */
export async function readForm(
  bodies: BodyReception,
  kind: 'json' | 'stranger',
  source: string,
  request: Request,
): Promise<Form> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (kind === 'json' && /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    if (declared > MAX_FILES_BYTES + SLACK_BYTES) throw new RequestError('BODY_TOO_LARGE');
    return bodies.receive('upload', source, request, () => readMultipart(bodies, request));
  }
  const maxBytes = kind === 'stranger' ? MAX_STRANGERS_FORM_BYTES : MAX_FORM_BYTES;
  if (declared > maxBytes) throw new RequestError('BODY_TOO_LARGE');
  const bytes = await bodies.receive(kind, source, request, () => readAll(request, maxBytes));
  return { fields: Fields.parse(bytes.toString('utf8')), files: [], bytes: bytes.length };
}

/** All of a body. @throws RequestError `BODY_TOO_LARGE` */
async function readAll(request: Request, maxBytes: number): Promise<Buffer> {
  const body = new CollectedBytes();
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (body.length + chunk.length > maxBytes) throw new RequestError('BODY_TOO_LARGE');
    body.add(chunk);
  }
  return Buffer.from(body.take().buffer);
}

async function readMultipart(bodies: BodyReception, request: Request): Promise<Form> {
  const files: SpooledFile[] = [];
  try {
    const { fields, bytes } = await readParts(request, () => {
      const file = bodies.spooled();
      files.push(file);
      return file;
    });
    return { fields: new Fields(fields), files: await Promise.all(files.map((file) => file.whole())), bytes };
  } finally {
    await Promise.all(files.map((file) => file.discard()));
  }
}

interface Parts {
  readonly fields: Map<string, string>;
  /** Length of all fields and files. */
  readonly bytes: number;
}

async function readParts(request: Request, newFile: () => SpooledFile): Promise<Parts> {
  const parser = parserOf(request);
  const fields = new Map<string, string>();
  const kept: Promise<void>[] = [];
  let [bytesKept, fieldsBytes] = [0, 0];
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown): void => {
      request.unpipe(parser);
      request.resume();
      reject(error as Error);
    };
    parser.on('file', (_name, stream, { filename }) => {
      // The parser reports the same failure.
      stream.on('error', () => undefined);
      if (!filename || kept.length === MAX_FILES) return void stream.resume();
      const work = keep(stream, newFile(), (bytes) => (bytesKept += bytes) <= MAX_FILES_BYTES);
      work.catch(fail);
      kept.push(work);
    });
    parser.on('field', (name, value, { valueTruncated }) => {
      fieldsBytes += value.length;
      if (valueTruncated || fieldsBytes > MAX_FORM_BYTES)
        return fail(new RequestError('BODY_INVALID', `${name.slice(0, 100)}: too long`));
      fields.set(name, value);
    });
    parser.on('error', (error) => fail(new RequestError('BODY_INVALID', String(error))));
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => fail(new RequestError('BODY_INVALID', `body: more than ${MAX_FILES} files`)));
    }
    parser.on('close', resolve);
    request.on('close', () => {
      if (!request.complete) reject(new RequestError('BODY_INVALID', 'body: ended early'));
    });
    request.pipe(parser);
  });
  await Promise.all(kept);
  return { fields, bytes: bytesKept + fieldsBytes };
}

/** @throws RequestError `UPLOAD_TOO_LARGE`, `BODY_TOO_LARGE`; AppError `STORAGE_FAILED` */
async function keep(stream: Readable, file: SpooledFile, hasRoom: (bytes: number) => boolean): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (file.length + chunk.length > MAX_TORRENT_FILE_BYTES) throw new RequestError('UPLOAD_TOO_LARGE');
    if (!hasRoom(chunk.length)) throw new RequestError('BODY_TOO_LARGE');
    await file.append(chunk);
  }
}

function parserOf(request: Request): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      limits: { fileSize: MAX_TORRENT_FILE_BYTES + 1, fieldSize: MAX_FORM_BYTES, parts: MAX_PARTS, files: MAX_FILES },
    });
  } catch {
    throw new RequestError('BODY_INVALID', 'body: expected multipart/form-data');
  }
}
