// Files that are replaced whole and survive a power cut (docs/limits.md 2.28): temporary file in the same directory,
// fdatasync, rename, fsync of the directory. Owns the order of these steps and the names of the generations of a file.
import { link, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export const PRIVATE_FILE_MODE = 0o600;

/** Where the generations of a file live: itself, the one before it, and the one being written. */
export function generationsOf(file: string): { main: string; backup: string; temporary: string } {
  return { main: file, backup: `${file}.bak`, temporary: `${file}.tmp` };
}

export interface ReplaceOptions {
  /** Keeps what the file held before as `<file>.bak`. @default false */
  readonly keepBackup?: boolean;
}

/**
 * Resolves when the new content is on stable storage; a crash at any moment leaves the old content or the new. With `keepBackup` what
 * it rejects for is the old content, as far as the disk lets it be put back.
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: ReplaceOptions = {},
) {
  const { main, backup, temporary } = generationsOf(file);
  const handle = await open(temporary, 'w', PRIVATE_FILE_MODE);
  try {
    await writeFile(handle, content);
    await handle.datasync();
  } catch (error) {
    throw named(error, temporary);
  } finally {
    await handle.close();
  }
  if (options.keepBackup) await keepAsBackup(main, backup);
  await rename(temporary, main);
  try {
    await syncDirectory(dirname(file));
  } catch (error) {
    // What is refused is not to be found there by the next start.
    if (options.keepBackup) await putBack(main, backup).catch(() => undefined);
    throw error;
  }
}

/** Removes a file and what was kept of it; resolves when that is durable. The newest goes last, so that none older is found. */
export async function removeGenerations(file: string): Promise<void> {
  const { main, backup, temporary } = generationsOf(file);
  for (const each of [temporary, backup, main]) await rm(each, { force: true });
  try {
    await syncDirectory(dirname(file));
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

/** The file's bytes, or null when there is none. */
export async function readIfExists(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw named(error, file);
  }
}

/** Names in the directory; none where there is no such one. */
export async function listIfExists(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Makes creations, renames and removals in the directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } catch (error) {
    throw named(error, directory);
  } finally {
    await handle.close();
  }
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Errors of an open file do not say of which. */
function named(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) {
    error.message = `${error.message} '${path}'`;
    Object.assign(error, { path });
  }
  return error;
}

/** The old content again in place of the new; where there was none, nothing. */
async function putBack(main: string, backup: string): Promise<void> {
  try {
    await rename(backup, main);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) await rm(main, { force: true });
  }
}

/** A second name for the old content: so there is no moment at which `main` itself is missing. */
async function keepAsBackup(main: string, backup: string): Promise<void> {
  await rm(backup, { force: true });
  try {
    await link(main, backup);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}
