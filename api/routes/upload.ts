// Reads the multipart upload of a .torrent file (interface.md: at most 10 MiB, whatever the framing adds) with busboy.
// The bytes are kept in memory: 10 MiB at most, and only of callers that were let in.
import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { BeginningBody } from '../../shared-protocol/dto/torrents.js';
import { RequestError } from '../errors.js';
import { MAX_TORRENT_FILE_BYTES } from '../services/library/adding.js';

const MIB = 1024 * 1024;
/** Boundaries, part headers and the other fields. */
const MULTIPART_SLACK_BYTES = MIB;
const MAX_FIELD_BYTES = 8 * 1024;
const MAX_PARTS = 16;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
]);

export interface Upload extends BeginningBody {
  readonly file: Uint8Array;
}

/** By the declared length, before anything is read. @throws RequestError `UPLOAD_TOO_LARGE` */
export function checkDeclaredLength(request: IncomingMessage): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > MAX_TORRENT_FILE_BYTES + MULTIPART_SLACK_BYTES) throw new RequestError('UPLOAD_TOO_LARGE');
}

/** @throws RequestError `UPLOAD_TOO_LARGE`, `BODY_INVALID` */
export async function readUpload(request: IncomingMessage): Promise<Upload> {
  const parser = createParser(request);
  const chunks: Buffer[] = [];
  let hasFile = false;
  const fields = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    const fail = (error: RequestError) => {
      request.unpipe(parser);
      request.resume();
      reject(error);
    };
    parser.on('file', (name, stream) => {
      // The parser reports the same failure.
      stream.on('error', () => undefined);
      if (name !== 'file' || hasFile) return void stream.resume();
      hasFile = true;
      let length = 0;
      stream.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_TORRENT_FILE_BYTES) return fail(new RequestError('UPLOAD_TOO_LARGE'));
        chunks.push(chunk);
      });
    });
    parser.on('field', (name, value) => void fields.set(name, value));
    parser.on('error', (error) => fail(invalid(error instanceof Error ? error.message : 'malformed multipart body')));
    parser.on('close', resolve);
    request.on('close', () => {
      if (!request.complete) reject(invalid('body: ended early'));
    });
    request.pipe(parser);
  });
  if (!hasFile) throw invalid('file: required');
  return { file: joined(chunks), ...beginningOf(fields) };
}

/** A form knows texts only; what is empty is as if it were not there. @throws RequestError `BODY_INVALID` */
function beginningOf(fields: ReadonlyMap<string, string>): BeginningBody {
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
  };
}

function createParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      // One byte more than allowed is let through, so that a file of exactly the limit is told from a larger one.
      limits: { fileSize: MAX_TORRENT_FILE_BYTES + 1, fieldSize: MAX_FIELD_BYTES, parts: MAX_PARTS },
    });
  } catch {
    throw invalid('body: expected multipart/form-data with a file');
  }
}

/** In memory of its own: what crosses to the engine must not be a view of a shared pool. */
function joined(chunks: readonly Buffer[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function invalid(message: string): RequestError {
  return new RequestError('BODY_INVALID', message);
}
