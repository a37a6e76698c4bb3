// Unpacks a tar, gzipped or not. The parser is the package `tar`, which is given inflated bytes in steps (docs/decisions/0023-archives-in-bounded-steps.md): left
// to itself it would inflate on this thread.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { archiveRefused, entryRefused } from './bounds.js';
import type { UnpackedFile, UnpackedState } from './unpacked-state.js';

const CHUNK_BYTES = 64 * 1024;
const FILE_TYPES: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile']);
/** Parts of headers that have been refused, for being too long. */
const HEADERS: ReadonlySet<string> = new Set([
  ...['ExtendedHeader', 'GlobalExtendedHeader', 'OldExtendedHeader'],
  ...['NextFileHasLongPath', 'OldGnuLongPath', 'NextFileHasLongLinkpath'],
]);
const LINKS: Readonly<Record<string, string>> = { SymbolicLink: 'is a symbolic link', Link: 'is a hard link' };
const KINDS: Readonly<Record<string, string>> = {
  ...LINKS,
  BlockDevice: 'is a device',
  CharacterDevice: 'is a device',
  FIFO: 'is a named pipe',
};
const MAGIC = 'ustar';
const MAGIC_AT = 257;
const HEADER_BYTES = 512;

export function isGzipped(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Whether a header of POSIX or GNU begins here. */
export function isTarHeader(bytes: Buffer): boolean {
  return (
    !isGzipped(bytes) &&
    bytes.length >= HEADER_BYTES &&
    bytes.toString('latin1', MAGIC_AT, MAGIC_AT + MAGIC.length) === MAGIC
  );
}

type Step =
  | { readonly kind: 'begin'; readonly entry: ReadEntry }
  | { readonly kind: 'bytes'; readonly chunk: Buffer }
  | { readonly kind: 'end' };

/** @throws AppError, and whatever says that it cannot be read */
export async function unpackTar(archive: string, isPacked: boolean, target: UnpackedState): Promise<void> {
  let failure: Error | null = null;
  let isAtEnd = false;
  let steps: Step[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      steps.push({ kind: 'begin', entry });
      // Taken at once: what a chunk holds is known when its write returns.
      entry.on('data', (chunk) => steps.push({ kind: 'bytes', chunk }));
      entry.on('end', () => steps.push({ kind: 'end' }));
    },
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => (failure ??= kindRefused(entry)));
  parser.on('error', (error: Error) => (failure ??= error));
  parser.on('eof', () => (isAtEnd = true));
  const writer = new Writer(target);
  const write = async (): Promise<void> => {
    const now = steps;
    steps = [];
    for (const step of now) await writer.take(step);
    if (failure) throw failure;
  };
  try {
    for await (const chunk of chunksOf(archive, isPacked)) {
      parser.write(chunk);
      await write();
      // What comes behind it the parser would keep in memory.
      if (isAtEnd) break;
    }
    parser.end();
    await write();
  } finally {
    await writer.close();
  }
}

class Writer {
  #file: UnpackedFile | null = null;

  constructor(private readonly target: UnpackedState) {}

  async take(step: Step): Promise<void> {
    if (step.kind === 'bytes') return this.#file?.append(step.chunk);
    if (step.kind === 'end') return this.close();
    const { type, path } = step.entry;
    if (type === 'Directory') return this.target.addFolder(path);
    if (!FILE_TYPES.has(type)) throw kindRefused(step.entry);
    this.#file = await this.target.openFile(path);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }
}

/** Chunks of about 64 KiB; the first one holds a whole header. */
async function* chunksOf(archive: string, isPacked: boolean): AsyncGenerator<Buffer> {
  const file = createReadStream(archive, { highWaterMark: CHUNK_BYTES });
  const chunks = isPacked ? createGunzip({ chunkSize: CHUNK_BYTES }) : file;
  // What fails there fails the reading of these as well.
  if (chunks !== file) pipeline(file, chunks as Gunzip, () => undefined);
  let first: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    if (!first) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < HEADER_BYTES) continue;
    assertTar(first);
    yield first;
    first = null;
  }
  if (first) assertTar(first);
}

/** The parser would open another layer of compression by itself. */
function assertTar(first: Buffer): void {
  if (!isTarHeader(first))
    throw isGzipped(first) ? archiveRefused('is compressed twice') : archiveRefused('holds no tar', 'ARCHIVE_EMPTY');
}

function kindRefused({ path, type }: ReadEntry): Error {
  if (HEADERS.has(type)) return archiveRefused('holds a header that is too long');
  const fault = `${KINDS[type] ?? 'is of an unknown kind'}, and only files and folders are taken`;
  return entryRefused(path, fault, type in LINKS ? 'ARCHIVE_LINK' : undefined);
}
