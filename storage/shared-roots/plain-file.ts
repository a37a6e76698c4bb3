// Files of a shared root, which other machines and other programs write to: what is no plain file, or is larger than anything that is
// written there, is not read. No link is followed, and no pipe is waited for.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isErrno, PRIVATE_FILE_MODE } from '../atomic-file.js';

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const MARK_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The file's bytes; null: there is none, or none of this kind. */
export async function readPlainFile(file: string, maxBytes: number): Promise<Buffer | null> {
  let handle: FileHandle;
  try {
    handle = await open(file, READ_FLAGS);
  } catch (error) {
    // ELOOP: it is a link. ENXIO: it is a socket.
    if (['ENOENT', 'ELOOP', 'ENXIO'].some((code) => isErrno(error, code))) return null;
    throw error;
  }
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxBytes ? await handle.readFile() : null;
  } finally {
    await handle.close();
  }
}

/** Makes an empty file, unless it is there. */
export async function makeMark(file: string): Promise<void> {
  await (await open(file, MARK_FLAGS, PRIVATE_FILE_MODE)).close();
}
