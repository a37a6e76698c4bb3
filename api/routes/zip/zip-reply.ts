// The files of a folder of a torrent as one archive, or a range of it, as an answer.
import { createHash } from 'node:crypto';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { FileChecksums } from '../../services/library/file-checksums.js';
import type { FileStreams } from '../../services/library/file-streams.js';
import type { FileInFolder } from '../../services/library/zipped-files.js';
import { contentDisposition } from '../files/content-disposition.js';
import { rangedReply, type RangedRequest } from '../files/ranged-reply.js';
import type { LiveBody } from '../live-body.js';
import type { Reply } from '../reply.js';
import { ZipLayout } from './layout.js';
import { ZipSource } from './zip-source.js';

export interface ZipRequest extends RangedRequest {
  readonly share: ShareRef;
  readonly files: readonly FileInFolder[];
  /** Without its ending. */
  readonly name: string;
  readonly accountId: AccountId;
  /** By which it is read, with the rights of the account; null: by the account itself. */
  readonly link: number | null;
  /** @throws RequestError where whoever asked may not have the rest any more */
  readonly assertAllowed: () => void;
}

export interface ZipServices {
  readonly fileStreams: Pick<FileStreams, 'take'>;
  readonly fileChecksums: Pick<FileChecksums, 'of' | 'learn'>;
}

/** @throws RequestError `TOO_MANY_STREAMS`, `RANGE_UNSATISFIABLE`, `PRECONDITION_FAILED` */
export function zipReply({ fileStreams, fileChecksums }: ZipServices, request: ZipRequest): Reply<Buffer | LiveBody> {
  const { share, files, name, accountId, link, assertAllowed } = request;
  const layout = new ZipLayout(files);
  const place = fileStreams.take(accountId, link);
  const torrent = {
    open: (index: number) => place.open(share, index),
    checksumOf: (index: number) => fileChecksums.of(share.id, index),
    learnChecksum: (index: number, checksum: number) => fileChecksums.learn(share.id, index, checksum),
    assertAllowed: () => {
      place.assertHeld();
      assertAllowed();
    },
    close: () => place.release(),
  };
  const ranged = {
    sizeBytes: layout.sizeBytes,
    etag: etagOf(share, files),
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': contentDisposition('attachment', `${name}.zip`),
    },
    source: (range: { readonly from: number; readonly end: number }) => new ZipSource(layout, torrent, range),
    close: () => place.release(),
  };
  try {
    return rangedReply(ranged, request);
  } catch (error) {
    place.release();
    throw error;
  }
}

/** Names and sizes decide where each byte of an archive lies; what is in the files, the torrent does. */
function etagOf({ id }: ShareRef, files: readonly FileInFolder[]): string {
  const hash = createHash('sha1');
  for (const { index, name, sizeBytes } of files) hash.update(`${index} ${sizeBytes} ${name}\0`);
  return `"${id}.zip.${hash.digest('hex').slice(0, 16)}"`;
}
