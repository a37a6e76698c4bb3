// How large a torrent is that comes as a file, before it is added: for a first look at who has room for it. What is to be believed of
// the file the engine finds out.
import { BencodeScanner } from './bencode-scanner.js';
import type { TorrentSource } from './commands/adding.js';
import { AppError } from './errors.js';
import { SOURCE_LIMITS } from './source-id.js';

/** Bytes of its files (BEP 3); null: a magnet does not say, and neither does what is no such file. */
export function sourceSize(source: TorrentSource): number | null {
  if (source.kind === 'magnet') return null;
  try {
    const bytes = bytesIn(new BencodeScanner(source.bytes, SOURCE_LIMITS));
    return bytes !== null && Number.isSafeInteger(bytes) ? bytes : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function bytesIn(scanner: BencodeScanner): number | null {
  if (!scanner.enter('dictionary')) return null;
  while (scanner.hasNext()) {
    if (scanner.key(['info']) !== null) return scanner.enter('dictionary') ? bytesOfInfo(scanner) : null;
    scanner.skip();
  }
  return null;
}

function bytesOfInfo(scanner: BencodeScanner): number | null {
  let bytes: number | null = null;
  while (scanner.hasNext()) {
    const key = scanner.key(['length', 'files']);
    if (key === 'length') bytes = lengthAt(scanner);
    else if (key === 'files' && scanner.atList()) bytes = bytesOfFiles(scanner);
    else scanner.skip();
  }
  return bytes;
}

function bytesOfFiles(scanner: BencodeScanner): number | null {
  let bytes: number | null = 0;
  scanner.enter('list');
  while (scanner.hasNext()) {
    if (!scanner.enter('dictionary')) return null;
    while (scanner.hasNext()) {
      if (scanner.key(['length']) === null) {
        scanner.skip();
        continue;
      }
      const length = lengthAt(scanner);
      bytes = bytes === null || length === null ? null : bytes + length;
    }
  }
  return bytes;
}

function lengthAt(scanner: BencodeScanner): number | null {
  const length = scanner.scalar();
  return typeof length === 'number' && length >= 0 ? length : null;
}
