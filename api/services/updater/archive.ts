// Unpacks a release: one folder with files and folders in it, and nothing else. The names are looked at before anything
// is written; the same parser lists and unpacks, so that both see the same archive. The archive is what the manifest
// promised; this is for the day on which the manifest is wrong.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, list, type Parser, type ReadEntry } from 'tar';
import { Deadline } from '../../../shared-protocol/deadline.js';
import { RequestError } from '../../errors.js';
import { updateFailed } from './failure.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const MINUTE_MS = 60_000;
const MAX_ENTRIES = 100_000;
/** No spec value; several times what a release with its modules takes on disk. */
const MAX_UNPACKED_BYTES = 2048 * MIB;
const TOO_LARGE = `larger than ${MAX_UNPACKED_BYTES} bytes when unpacked`;
/** For each of listing and unpacking. */
const PASS_MS = 5 * MINUTE_MS;
const CHUNK_BYTES = 64 * KIB;
const GZIP_FIRST_BYTE = 0x1f;
const FILE_TYPES: ReadonlySet<string> = new Set(['File', 'OldFile']);

/** Says of each entry of an archive in turn what is wrong with it; null: nothing. */
export function entryCheck(): (entry: Pick<ReadEntry, 'path' | 'type' | 'mode' | 'size'>) => string | null {
  let count = 0;
  let total = 0;
  let top: string | null = null;
  return ({ path, type, mode = 0, size }) => {
    const isFile = FILE_TYPES.has(type);
    if (!isFile && type !== 'Directory') return 'it holds something that is neither a file nor a folder';
    if ((mode & 0o7000) !== 0) return 'it holds a file with special permissions';
    const elements = elementsOf(path);
    if (!elements) return 'it holds a name that is not safe';
    top ??= elements[0] ?? null;
    if (elements[0] !== top || (isFile && elements.length === 1)) return 'it is not one folder';
    if (++count > MAX_ENTRIES) return `more than ${MAX_ENTRIES} entries`;
    total += size;
    return total > MAX_UNPACKED_BYTES ? TOO_LARGE : null;
  };
}

/** Unpacks what lies in the archive's one folder into `target`, which exists. @throws RequestError `UPDATE_FAILED` */
export async function unpackRelease(archive: string, target: string, signal: AbortSignal): Promise<void> {
  try {
    await read(archive, lister(), signal);
    const options = { cwd: target, strip: 1, strict: true, preserveOwner: false, noMtime: true };
    await read(archive, extract(options), signal);
  } catch (thrown) {
    if (signal.aborted) throw updateFailed('given up');
    throw thrown instanceof RequestError ? thrown : updateFailed('the archive cannot be read');
  }
}

function lister(): Parser {
  const faultOf = entryCheck();
  const check = (entry: ReadEntry): void => {
    const fault = faultOf(entry);
    if (fault !== null) parser.abort(refused(fault));
  };
  const parser = list({ strict: true, onReadEntry: check });
  // Of kinds that the parser does not know, and names of more than a MiB: it would pass over both in silence.
  parser.on('ignoredEntry', check);
  return parser;
}

/**
 * Gives the archive to the parser, which gets no compressed bytes: it would inflate them in this thread and without an
 * end, and what comes behind the end of an archive it would keep in memory.
 */
async function read(archive: string, parser: Parser, outer: AbortSignal): Promise<void> {
  const deadline = new Deadline(PASS_MS, outer);
  const { signal } = deadline;
  let failure: Error | null = null;
  let isAtEnd = false;
  let received = 0;
  parser.on('error', (error: Error) => (failure ??= error));
  parser.on('eof', () => (isAtEnd = true));
  const feed = async (): Promise<void> => {
    const chunks = createGunzip({ chunkSize: CHUNK_BYTES });
    // What fails there fails the reading of these as well.
    pipeline(createReadStream(archive, { signal }), chunks, () => undefined);
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      if (received === 0 && chunk[0] === GZIP_FIRST_BYTE) throw refused('it is compressed twice');
      received += chunk.length;
      if (received > MAX_UNPACKED_BYTES) throw refused(TOO_LARGE);
      const isReady = parser.write(chunk);
      if (failure) throw failure;
      if (isAtEnd) break;
      if (!isReady) await once(parser, 'drain', { signal });
    }
    parser.end();
  };
  await Promise.all([feed(), once(parser, 'end', { signal })]).finally(() => deadline.clear());
}

function refused(fault: string): RequestError {
  return updateFailed(`the archive is refused: ${fault}`);
}

/** Null: it could lead somewhere else, or look like another. */
function elementsOf(name: string): string[] | null {
  if (!/^[\x20-\x7e]+$/.test(name) || name.includes('\\')) return null;
  const elements = name.replace(/\/$/, '').split('/');
  return elements.some((element) => element === '' || element === '.' || element === '..') ? null : elements;
}
