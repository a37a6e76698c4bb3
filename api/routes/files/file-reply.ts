// A file, or a range of it, as an answer: status, headers, bytes. What is in it comes from strangers: nothing of it may run
// in this origin, whatever it is called.
import type { IncomingHttpHeaders } from 'node:http';
import { RequestError, type Headers } from '../../errors.js';
import type { FileStream } from '../../services/library/file-streams.js';
import { LiveBody } from '../live-body.js';
import { Reply } from '../reply.js';
import { rangeOf, type ByteRange } from './byte-range.js';
import { contentDisposition } from './content-disposition.js';
import { mayBeShown, mediaTypeOf } from './media-types.js';
import { RangeSource } from './range-source.js';

/** A policy under which a file lies in an origin of its own, without scripts: a browser shows pictures, sound and text of it. */
const SANDBOX =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

export interface FileRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** A strong entity tag: of the same tag are the same bytes, for ever. */
  readonly etag: string;
  /** @throws RequestError where whoever asked may not have the rest any more */
  readonly assertAllowed: () => void;
}

/** Takes the stream over: it is closed with the answer. @throws RequestError `RANGE_UNSATISFIABLE`, `PRECONDITION_FAILED` */
export function fileReply(file: FileStream, request: FileRequest): Reply<Buffer | LiveBody> {
  const { sizeBytes } = file;
  const outcome = rangeOf(request.method, request.headers, { etag: request.etag, sizeBytes });
  switch (outcome.kind) {
    case 'not-modified':
      return withoutBody(file, 304, headersOf(file, request));
    case 'precondition-failed':
      throw new RequestError('PRECONDITION_FAILED');
    case 'unsatisfiable':
      throw new RequestError('RANGE_UNSATISFIABLE', '', { 'Content-Range': `bytes */${sizeBytes}` });
    case 'whole':
      return answerWith(file, request, { from: 0, end: sizeBytes }, 200);
    case 'part':
      return answerWith(file, request, outcome, 206);
  }
}

function answerWith(file: FileStream, request: FileRequest, range: ByteRange, status: 200 | 206) {
  const { from, end } = range;
  const part = status === 206 ? { 'Content-Range': `bytes ${from}-${end - 1}/${file.sizeBytes}` } : {};
  const headers = { ...headersOf(file, request), ...part, 'Content-Length': String(end - from) };
  if (request.method === 'HEAD') return withoutBody(file, status, headers);
  return new Reply(new LiveBody(new RangeSource(file, range, request.assertAllowed)), headers, undefined, status);
}

function withoutBody(file: FileStream, status: number, headers: Headers): Reply<Buffer> {
  file.close();
  return new Reply(Buffer.alloc(0), headers, undefined, status);
}

function headersOf({ path }: FileStream, { etag }: FileRequest): Headers {
  const mediaType = mediaTypeOf(path);
  return {
    'Content-Type': mediaType,
    'Content-Disposition': contentDisposition(mayBeShown(mediaType) ? 'inline' : 'attachment', path),
    'Content-Security-Policy': SANDBOX,
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    ETag: etag,
    // A browser may keep it, and asks each time whether it may still have it.
    'Cache-Control': 'private, no-cache',
  };
}
