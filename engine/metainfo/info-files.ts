// The `files` list of an info dictionary (BEP 3, BEP 47), read entry by entry so that half a million files cost no
// tree of values. Paths come out safe; whether they collide is the file list's business.
import type { BencodeScalar, BencodeScanner } from './bencode-scanner.js';
import { utf8 } from './bencode.js';
import { MAX_FILE_BYTES, MAX_PATH_ELEMENTS } from './constants.js';
import { invalid, wholeNumber } from './fields.js';
import type { ListedFile } from './file-list.js';
import { safeElement } from './safe-path.js';

/** The scanner stands before the list. @throws AppError `TORRENT_INVALID` naming the file's index and field */
export function readFiles(scanner: BencodeScanner): ListedFile[] {
  if (!scanner.enter('list')) throw invalid('info.files', 'not a list');
  const files: ListedFile[] = [];
  while (scanner.hasNext()) files.push(readFile(scanner, files.length));
  if (files.length === 0) throw invalid('info.files', 'empty');
  return files;
}

function readFile(scanner: BencodeScanner, index: number): ListedFile {
  if (!scanner.enter('dictionary')) throw invalid(`info.files[${index}]`, 'not a dictionary');
  let length: BencodeScalar | null | undefined;
  let path: string[] | undefined;
  let pathUtf8: string[] | undefined;
  let attributes = '';
  while (scanner.hasNext()) {
    switch (scanner.key()) {
      case 'length':
        length = scanner.scalar();
        break;
      case 'path':
        path = readPath(scanner, index);
        break;
      case 'path.utf-8':
        pathUtf8 = readPath(scanner, index);
        break;
      case 'attr': {
        const value = scanner.scalar();
        attributes = value instanceof Uint8Array ? utf8(value) : '';
        break;
      }
      default:
        scanner.skip();
    }
  }
  // BEP 47: a symbolic link has no bytes in the torrent. None is ever made: it stands as an empty file.
  const sizeBytes = attributes.includes('l') ? 0 : readSize(length, index);
  const isPad = attributes.includes('p');
  const chosen = pathUtf8?.length ? pathUtf8 : path;
  if (chosen?.length) return { path: chosen, sizeBytes, isPad };
  if (isPad) return { path: ['.pad', String(sizeBytes)], sizeBytes, isPad };
  throw invalid(`info.files[${index}].path`, chosen ? 'empty' : 'missing');
}

function readSize(length: BencodeScalar | null | undefined, index: number): number {
  // The field's name is only put together once it is needed: half a million of them cost more than reading the files.
  if (typeof length === 'number' && length >= 0 && length <= MAX_FILE_BYTES) return length;
  return wholeNumber(`info.files[${index}].length`, length, 0, MAX_FILE_BYTES);
}

function readPath(scanner: BencodeScanner, index: number): string[] {
  if (!scanner.enter('list')) throw invalid(`info.files[${index}].path`, 'not a list');
  const path: string[] = [];
  while (scanner.hasNext()) {
    const element = readElement(scanner, index);
    if (element === null) continue;
    if (path.length === MAX_PATH_ELEMENTS) {
      throw invalid(`info.files[${index}].path`, `more than ${MAX_PATH_ELEMENTS} elements`);
    }
    path.push(element);
  }
  return path;
}

/** null for an empty one, which names no folder. */
function readElement(scanner: BencodeScanner, index: number): string | null {
  if (scanner.next() !== 'string') throw invalid(`info.files[${index}].path`, 'an element is not a string');
  if (scanner.contentStart === scanner.contentEnd) return null;
  const text = scanner.contentUtf8();
  return safeElement(text.includes('\ufffd') ? scanner.content() : text);
}
