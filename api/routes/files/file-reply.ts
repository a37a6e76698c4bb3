// A file, or a range of it, as an answer. What is in it comes from strangers: nothing of it may run in this origin, whatever
// it is called.
import type { FileStream } from '../../services/library/file-streams.js';
import type { LiveBody } from '../live-body.js';
import type { Reply } from '../reply.js';
import { contentDisposition } from './content-disposition.js';
import { mayBeShown, mediaTypeOf } from './media-types.js';
import { RangeSource } from './range-source.js';
import { rangedReply, type RangedRequest } from './ranged-reply.js';

/** A policy under which a file lies in an origin of its own, without scripts: a browser shows pictures, sound and text of it. */
const SANDBOX =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

export interface FileRequest extends RangedRequest {
  /** A strong entity tag: of the same tag are the same bytes, for ever. */
  readonly etag: string;
  /** @throws RequestError where whoever asked may not have the rest any more */
  readonly assertAllowed: () => void;
}

/** Takes the stream over: it is closed with the answer. @throws RequestError `RANGE_UNSATISFIABLE`, `PRECONDITION_FAILED` */
export function fileReply(file: FileStream, request: FileRequest): Reply<Buffer | LiveBody> {
  const { sizeBytes, path } = file;
  const mediaType = mediaTypeOf(path);
  const ranged = {
    sizeBytes,
    etag: request.etag,
    headers: {
      'Content-Type': mediaType,
      'Content-Disposition': contentDisposition(mayBeShown(mediaType) ? 'inline' : 'attachment', path),
      'Content-Security-Policy': SANDBOX,
    },
    source: (range: { readonly from: number; readonly end: number }) =>
      new RangeSource(file, range, request.assertAllowed),
    close: () => file.close(),
  };
  return rangedReply(ranged, request);
}
