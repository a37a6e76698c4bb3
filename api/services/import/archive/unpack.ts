// Unpacks an archive by what its first bytes say it is, whatever it is called. Nothing of it is kept on failure by who called.
import { open } from 'node:fs/promises';
import { archiveRefused, type ArchiveBounds } from './bounds.js';
import { isGzipped, isTarHeader, unpackTar } from './unpack-tar.js';
import { isZip, unpackZip } from './unpack-zip.js';
import { UnpackedState } from './unpacked-state.js';

const HEAD_BYTES = 512;

export interface UnpackParams {
  readonly archive: string;
  /** An empty directory. */
  readonly target: string;
  readonly bounds: ArchiveBounds;
}

/** `assertWanted` is asked before each entry and each chunk of one. @throws AppError, and whatever it throws or says that the archive cannot be read or written */
export async function unpack(params: UnpackParams, assertWanted: () => void): Promise<UnpackedState> {
  const { archive, target, bounds } = params;
  const state = new UnpackedState(target, bounds, assertWanted);
  const head = await headOf(archive);
  if (isZip(head)) await unpackZip(archive, state);
  else if (isGzipped(head) || isTarHeader(head)) await unpackTar(archive, isGzipped(head), state);
  else throw archiveRefused('is neither a .tar nor a .tar.gz nor a .zip', 'ARCHIVE_FORMAT');
  if (state.entries === 0) throw archiveRefused('holds nothing', 'ARCHIVE_EMPTY');
  return state;
}

async function headOf(archive: string): Promise<Buffer> {
  const file = await open(archive, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
