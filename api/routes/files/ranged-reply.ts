// Something of a known size, or a range of it, as an answer: status, headers, bytes. What it is of, the caller says.
import type { IncomingHttpHeaders } from 'node:http';
import { RequestError, type Headers } from '../../errors.js';
import { LiveBody, type ByteSource } from '../live-body.js';
import { Reply } from '../reply.js';
import { rangeOf, type ByteRange } from './byte-range.js';

export interface Ranged {
  readonly sizeBytes: number;
  /** A strong entity tag: of the same tag are the same bytes, for ever. */
  readonly etag: string;
  readonly headers: Headers;
  /** Closes it with the answer. */
  source(range: ByteRange): ByteSource;
  /** Instead, where nothing of it is sent. */
  close(): void;
}

export interface RangedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Takes it over: it is closed with the answer. @throws RequestError `RANGE_UNSATISFIABLE`, `PRECONDITION_FAILED` */
export function rangedReply(ranged: Ranged, request: RangedRequest): Reply<Buffer | LiveBody> {
  const { sizeBytes, etag } = ranged;
  const outcome = rangeOf(request.method, request.headers, { etag, sizeBytes });
  switch (outcome.kind) {
    case 'not-modified':
      return withoutBody(ranged, 304, headersOf(ranged));
    case 'precondition-failed':
      throw new RequestError('PRECONDITION_FAILED');
    case 'unsatisfiable':
      throw new RequestError('RANGE_UNSATISFIABLE', '', {}, { 'Content-Range': `bytes */${sizeBytes}` });
    case 'whole':
      return answerWith(ranged, request, { from: 0, end: sizeBytes }, 200);
    case 'part':
      return answerWith(ranged, request, outcome, 206);
  }
}

function answerWith(ranged: Ranged, { method }: RangedRequest, range: ByteRange, status: 200 | 206) {
  const { from, end } = range;
  const part = status === 206 ? { 'Content-Range': `bytes ${from}-${end - 1}/${ranged.sizeBytes}` } : {};
  const headers = { ...headersOf(ranged), ...part, 'Content-Length': String(end - from) };
  if (method === 'HEAD') return withoutBody(ranged, status, headers);
  return new Reply(new LiveBody(ranged.source({ from, end })), headers, undefined, status);
}

function withoutBody(ranged: Ranged, status: number, headers: Headers): Reply<Buffer> {
  ranged.close();
  return new Reply(Buffer.alloc(0), headers, undefined, status);
}

function headersOf({ headers, etag }: Ranged): Headers {
  return {
    ...headers,
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    ETag: etag,
    // A browser may keep it, and asks each time whether it may still have it.
    'Cache-Control': 'private, no-cache',
  };
}
