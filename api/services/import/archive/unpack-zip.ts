// Unpacks a zip by the package `yauzl`: it reads the directory at the end, inflates off this thread and stops an entry that inflates to
// more than its header says; how much all of them may be is counted by who takes the bytes.
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { entryRefused } from './bounds.js';
import type { UnpackedState } from './unpacked-state.js';

const FILE_TYPE_BITS = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const SYMBOLIC_LINK = 0o120000;
const UNIX = 3;
/** The folder that macOS adds to each zip. */
const APPLE = /^__MACOSX\//;

export function isZip(bytes: Buffer): boolean {
  return /^PK(?:\x03\x04|\x05\x06)/.test(bytes.toString('latin1', 0, 4));
}

/** @throws AppError, and whatever says that it cannot be read */
export async function unpackZip(archive: string, target: UnpackedState): Promise<void> {
  const zip = await openPromise(archive, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!APPLE.test(entry.fileName)) await take(zip, entry, target);
    }
  } finally {
    zip.close();
  }
}

async function take(zip: ZipFile, entry: Entry, target: UnpackedState): Promise<void> {
  const { fileName: name } = entry;
  const type = entry.versionMadeBy >>> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE_BITS : 0;
  if (type !== 0 && type !== REGULAR && type !== FOLDER) {
    const isLink = type === SYMBOLIC_LINK;
    const kind = isLink ? 'is a symbolic link' : 'is a device or something like it';
    const fault = `${kind}, and only files and folders are taken`;
    throw entryRefused(name, fault, isLink ? 'ARCHIVE_LINK' : undefined);
  }
  if (name.endsWith('/') || type === FOLDER) return target.addFolder(name);
  if (entry.isEncrypted()) throw entryRefused(name, 'is encrypted', 'ARCHIVE_ENCRYPTED');
  if (!entry.canDecodeFileData()) throw entryRefused(name, 'is compressed in a way that is not known here');
  const file = await target.openFile(name);
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) await file.append(chunk);
  } finally {
    await file.close();
  }
}
