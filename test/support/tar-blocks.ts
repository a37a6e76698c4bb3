// Archives written block by block, so that they may hold what no writer of archives would write.
import { Header, type HeaderData } from 'tar';

export const TAR_BLOCK_BYTES = 512;
/** What an archive ends with. */
export const TAR_END = Buffer.alloc(2 * TAR_BLOCK_BYTES);

/** A header and its body; what is not said is a plain file with such a body. */
export function tarBlocks(header: HeaderData, body = ''): Buffer {
  const encoded = Buffer.alloc(TAR_BLOCK_BYTES);
  new Header({ mode: 0o644, size: body.length, type: 'File', ...header }).encode(encoded);
  const filled = Math.ceil(body.length / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
  return Buffer.concat([encoded, Buffer.from(body), Buffer.alloc(filled - body.length)]);
}

/** Makes the checksum of a header right that was changed. */
export function setChecksum(archive: Buffer, at = 0): void {
  archive.write('        ', at + 148, 'latin1');
  const sum = archive.subarray(at, at + TAR_BLOCK_BYTES).reduce((total, byte) => total + byte);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
}
