// The `files` list of an info dictionary (BEP 3, BEP 47), read entry by entry so that half a million files cost no
// tree of values. Paths come out safe; whether they collide is the file list's business.
import type { BencodeScalar, BencodeScanner } from './bencode-scanner.js';
import { utf8 } from './bencode.js';
import { MAX_FILE_BYTES, MAX_PATH_ELEMENTS, MAX_RAW_ELEMENT_CHARS } from './constants.js';
import { invalid, wholeNumber } from './fields.js';
import type { ListedFile } from './file-list.js';
import { safeElement } from './safe-path.js';

type ListedPath = Pick<ListedFile, 'path' | 'rawPath'>;

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
  let path: ListedPath | undefined;
  let pathUtf8: ListedPath | undefined;
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
  const chosen = pathUtf8?.path.length ? pathUtf8 : path;
  if (chosen?.path.length) return { ...chosen, sizeBytes, isPad };
  if (isPad) return { path: ['.pad', String(sizeBytes)], sizeBytes, isPad };
  throw invalid(`info.files[${index}].path`, chosen ? 'empty' : 'missing');
}

function readSize(length: BencodeScalar | null | undefined, index: number): number {
  // The field's name is only put together once it is needed: half a million of them cost more than reading the files.
  if (typeof length === 'number' && length >= 0 && length <= MAX_FILE_BYTES) return length;
  return wholeNumber(`info.files[${index}].length`, length, 0, MAX_FILE_BYTES);
}

function readPath(scanner: BencodeScanner, index: number): ListedPath {
  if (!scanner.enter('list')) throw invalid(`info.files[${index}].path`, 'not a list');
  const path: string[] = [];
  let rawPath: string[] | undefined;
  while (scanner.hasNext()) {
    if (scanner.next() !== 'string') throw invalid(`info.files[${index}].path`, 'an element is not a string');
    // An empty one names no folder.
    if (scanner.contentStart === scanner.contentEnd) continue;
    if (path.length === MAX_PATH_ELEMENTS) {
      throw invalid(`info.files[${index}].path`, `more than ${MAX_PATH_ELEMENTS} elements`);
    }
    const text = scanner.contentUtf8();
    const element = safeElement(text.includes('\ufffd') ? scanner.content() : text);
    if (element !== text && isName(text)) (rawPath ??= [...path]).push(text);
    else rawPath?.push(element);
    path.push(element);
  }
  return rawPath ? { path, rawPath } : { path };
}

/** Whether a server may have a file or folder of this name: its bytes were UTF-8, and it leads nowhere else. */
function isName(text: string): boolean {
  return text !== '.' && text !== '..' && text.length <= MAX_RAW_ELEMENT_CHARS && !text.includes('\ufffd');
}
