// Reads the multipart upload of a .torrent file (docs/api.md: at most 10 MiB, whatever the framing adds) with busboy.
// Only of callers that were let in, few at a time, and on disk while it comes (spool.ts).
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { AddingBody } from '../../../shared-protocol/dto/adding.js';
import { RequestError } from '../../errors.js';
import { MAX_TORRENT_FILE_BYTES } from '../../services/library/torrent-source.js';
import type { Admitted, Upload } from '../../routes/admitted.js';
import type { Bodies } from './bodies.js';
import { wishesInForm } from './adding-form.js';
import type { SpooledBody } from './spool.js';

const MIB = 1024 * 1024;
/** Boundaries, part headers and the other fields. */
const MULTIPART_SLACK_BYTES = MIB;
/** All fields of a form together: priorities of ten thousand files. */
const MAX_FIELDS_BYTES = 256 * 1024;
/** Twice as many as there are names. */
const MAX_PARTS = 32;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
]);

/** By the declared length, before anything is read. @throws RequestError `UPLOAD_TOO_LARGE` */
export function checkDeclaredLength(request: IncomingMessage): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > MAX_TORRENT_FILE_BYTES + MULTIPART_SLACK_BYTES) throw new RequestError('UPLOAD_TOO_LARGE');
}

/** @throws RequestError `UPLOAD_TOO_LARGE`, `BODY_INVALID`, `TOO_MANY_BODIES`, `BODY_STALLED`; AppError `STORAGE_FAILED` */
export async function readUpload(bodies: Bodies, { request, principal }: Admitted): Promise<Upload> {
  const source = String(principal?.account.id);
  return bodies.receive('upload', source, request, async () => {
    const file = bodies.spooled();
    try {
      const fields = await readParts(request, file);
      return { file: await file.whole(), ...beginningOf(fields) };
    } finally {
      await file.discard();
    }
  });
}

/** The fields; the file goes where it is told to. */
async function readParts(request: IncomingMessage, file: SpooledBody): Promise<Map<string, string>> {
  const parser = createParser(request);
  const fields = new Map<string, string>();
  let kept: Promise<void> | null = null;
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      request.unpipe(parser);
      request.resume();
      reject(error as Error);
    };
    parser.on('file', (name, stream) => {
      // The parser reports the same failure.
      stream.on('error', () => undefined);
      if (name !== 'file' || kept) return void stream.resume();
      kept = keep(stream, file);
      kept.catch(fail);
    });
    let fieldsBytes = 0;
    parser.on('field', (name, value, { valueTruncated }) => {
      fieldsBytes += Buffer.byteLength(value);
      if (valueTruncated || fieldsBytes > MAX_FIELDS_BYTES) return fail(invalid(`${name.slice(0, 100)}: too long`));
      fields.set(name, value);
    });
    parser.on('error', (error) => fail(invalid(error instanceof Error ? error.message : 'malformed multipart body')));
    parser.on('close', resolve);
    request.on('close', () => {
      if (!request.complete) reject(invalid('body: ended early'));
    });
    request.pipe(parser);
  });
  // Null is what the compiler sees of it here: it is set in a callback.
  const all = kept as Promise<void> | null;
  if (!all) throw invalid('file: required');
  await all;
  return fields;
}

/** Keeps the file as fast as the disk takes it. @throws RequestError `UPLOAD_TOO_LARGE`; AppError `STORAGE_FAILED` */
async function keep(stream: Readable, file: SpooledBody): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (file.length + chunk.length > MAX_TORRENT_FILE_BYTES) throw new RequestError('UPLOAD_TOO_LARGE');
    await file.append(chunk);
  }
}

/** A form knows texts only; what is empty is as if it were not there. @throws RequestError `BODY_INVALID` */
function beginningOf(fields: ReadonlyMap<string, string>): AddingBody {
  const flag = (name: string): boolean => {
    const value = BOOLEANS.get(fields.get(name) ?? '');
    if (value === undefined) throw invalid(`${name}: expected true or false`);
    return value;
  };
  const category = fields.get('category_id') ?? '';
  if (!/^(?:|[1-9]\d{0,14})$/.test(category)) throw invalid('category_id: expected a whole number from 1');
  return {
    save_path: fields.get('save_path') ?? '',
    paused: flag('paused'),
    sequential: flag('sequential'),
    category_id: category === '' ? null : Number(category),
    ...wishesInForm(fields),
  };
}

function createParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      // One byte more than allowed is let through, so that a file of exactly the limit is told from a larger one.
      limits: { fileSize: MAX_TORRENT_FILE_BYTES + 1, fieldSize: MAX_FIELDS_BYTES, parts: MAX_PARTS },
    });
  } catch {
    throw invalid('body: expected multipart/form-data with a file');
  }
}

function invalid(message: string): RequestError {
  return new RequestError('BODY_INVALID', message);
}
