// Unpacks a release: one folder with files and folders in it, and nothing else. The names are looked at before anything
// is written; the same program lists and unpacks, so that both see the same archive. The archive is what the manifest
// promised; this is for the day on which the manifest is wrong.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { updateFailed } from './failure.js';

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;
const MAX_ENTRIES = 100_000;
/** No spec value; several times what a release with its modules takes on disk. */
const MAX_UNPACKED_BYTES = 2048 * MIB;
const MAX_LISTING_BYTES = 64 * MIB;
/** For each of listing and unpacking. */
const TAR_MS = 5 * MINUTE_MS;

// Type, permissions, owner, size, date, time, name: GNU tar's --list --verbose --full-time.
const LINE = /^(.)([rwxsStT-]{9})\S* +\S+ +(\d+) +\d+-\d\d-\d\d [\d:.]+ (.+)$/;

/** What is wrong with an archive of this listing; null: nothing. */
export function faultOf(listing: string): string | null {
  const lines = listing.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return 'it is empty';
  if (lines.length > MAX_ENTRIES) return `more than ${MAX_ENTRIES} entries`;
  let total = 0;
  let top: string | null = null;
  for (const line of lines) {
    const [, type = '', mode = '', size = '', name = ''] = LINE.exec(line) ?? [];
    if (type !== '-' && type !== 'd') return 'it holds something that is neither a file nor a folder';
    if (/[sStT]/.test(mode)) return 'it holds a file with special permissions';
    const elements = elementsOf(name);
    if (!elements) return 'it holds a name that is not safe';
    top ??= elements[0] ?? null;
    if (elements[0] !== top || (type === '-' && elements.length === 1)) return 'it is not one folder';
    total += Number(size);
    if (total > MAX_UNPACKED_BYTES) return `larger than ${MAX_UNPACKED_BYTES} bytes when unpacked`;
  }
  return null;
}

/** What lies in the archive's one folder comes to lie in `target`, which exists. @throws RequestError `UPDATE_FAILED` */
export async function unpackRelease(archive: string, target: string, signal: AbortSignal): Promise<void> {
  const listing = await tar(
    ['--list', '--verbose', '--full-time', '--numeric-owner', '--quoting-style=escape', '--gzip', '--file', archive],
    signal,
  );
  const fault = faultOf(listing);
  if (fault !== null) throw updateFailed(`the archive is refused: ${fault}`);
  await tar(
    ['--extract', '--gzip', '--file', archive, '--directory', target].concat([
      '--strip-components=1',
      '--no-same-owner',
      '--no-same-permissions',
    ]),
    signal,
  );
}

async function tar(args: readonly string[], signal: AbortSignal): Promise<string> {
  // None of our environment: TAR_OPTIONS could say anything, and a locale would change the listing.
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  try {
    const options = { env, signal, timeout: TAR_MS, maxBuffer: MAX_LISTING_BYTES };
    return (await promisify(execFile)('tar', args, options)).stdout;
  } catch (error) {
    if (signal.aborted) throw updateFailed('given up');
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw updateFailed(isAbsent ? 'tar is not installed' : 'the archive cannot be read');
  }
}

/** Null: it could lead somewhere else, or look like another. */
function elementsOf(name: string): string[] | null {
  // Escapes of tar begin with a backslash.
  if (!/^[\x20-\x7e]+$/.test(name) || name.includes('\\')) return null;
  const elements = name.replace(/\/$/, '').split('/');
  return elements.some((element) => element === '' || element === '.' || element === '..') ? null : elements;
}
