// The `files` list of an info dictionary (BEP 3, BEP 47), read entry by entry so that half a million files cost no
// tree of values: one object and one array for each, and nothing that is dropped again. Paths come out safe; whether
// they collide is the file list's business.
import type { BencodeScalar, BencodeScanner } from '../../shared-protocol/bencode-scanner.js';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import { utf8 } from './bencode.js';
import { MAX_FILE_BYTES, MAX_PATH_ELEMENTS, MAX_RAW_ELEMENT_CHARS, MAX_TOTAL_BYTES } from './constants.js';
import { invalid, wholeNumber } from './fields.js';
import type { ListedFile } from './file-list.js';
import { endsOf, isSafeAscii, markBadBytes, safeElement } from './safe-path.js';
import { TextWindow } from './text-window.js';

/** Where the torrent's own folder will stand; its name may come behind the files. */
const FOLDER = '';

/** How BitComet calls its pad files, which have no attribute: `_____padding_file_0_if you see this file, …`. */
const BITCOMET_PAD = '_____padding_file_';

const FILE_KEYS = ['length', 'path', 'path.utf-8', 'attr'] as const;

interface ListedPath {
  /** Nothing but the folder: every element was empty. */
  readonly path: string[];
  readonly rawPath: string[] | null;
}

/** The scanner stands before the list. @throws AppError `TORRENT_INVALID` naming the file's index and field */
export function readFiles(scanner: BencodeScanner, names: NameRules): ListedFile[] {
  if (!scanner.enter('list')) throw invalid('info.files', 'not a list');
  const reader = new FileReader(scanner, names);
  const files: ListedFile[] = [];
  let offset = 0;
  while (scanner.hasNext()) {
    const file = reader.read(files.length, offset);
    offset += file.sizeBytes;
    if (offset > MAX_TOTAL_BYTES) throw invalid('info.files', `more than ${MAX_TOTAL_BYTES} bytes in total`);
    files.push(file);
  }
  if (files.length === 0) throw invalid('info.files', 'empty');
  return files;
}

class FileReader {
  readonly #text: TextWindow;
  /** Elements of the path being read, safe and as given; used again for each. */
  readonly #elements: string[] = [];
  readonly #given: string[] = [];

  constructor(
    private readonly scanner: BencodeScanner,
    private readonly names: NameRules,
  ) {
    this.#text = new TextWindow(scanner.bytes);
  }

  read(index: number, offset: number): ListedFile {
    const { scanner } = this;
    if (!scanner.enter('dictionary')) throw invalid(`info.files[${index}]`, 'not a dictionary');
    let length: BencodeScalar | null | undefined;
    let path: ListedPath | undefined;
    let pathUtf8: ListedPath | undefined;
    let attributes = '';
    while (scanner.hasNext()) {
      switch (scanner.key(FILE_KEYS)) {
        case 'length':
          length = scanner.scalar();
          break;
        case 'path':
          path = this.#readPath(index);
          break;
        case 'path.utf-8':
          pathUtf8 = this.#readPath(index);
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
    const chosen = hasElements(pathUtf8) ? pathUtf8 : path;
    const isPad = attributes.includes('p') || chosen?.path.at(-1)?.startsWith(BITCOMET_PAD) === true;
    if (hasElements(chosen)) {
      const { path, rawPath } = chosen;
      // Spelt out twice: a spread costs more than everything else here.
      if (rawPath && !isPad) return { index, path, rawPath, sizeBytes, offset, isPad };
      return { index, path, sizeBytes, offset, isPad };
    }
    if (isPad) return { index, path: [FOLDER, '.pad', String(sizeBytes)], sizeBytes, offset, isPad };
    throw invalid(`info.files[${index}].path`, chosen ? 'empty' : 'missing');
  }

  #readPath(index: number): ListedPath {
    const { scanner } = this;
    if (!scanner.enter('list')) throw invalid(`info.files[${index}].path`, 'not a list');
    const elements = this.#elements;
    let count = 0;
    let isRepaired = false;
    while (scanner.hasNext()) {
      if (scanner.next() !== 'string') throw invalid(`info.files[${index}].path`, 'an element is not a string');
      const { contentStart: start, contentEnd: end } = scanner;
      // An empty one names no folder.
      if (start === end) continue;
      if (count === MAX_PATH_ELEMENTS) {
        throw invalid(`info.files[${index}].path`, `more than ${MAX_PATH_ELEMENTS} elements`);
      }
      let element: string;
      let given: string;
      if (isSafeAscii(scanner.bytes, start, end, this.names)) {
        given = element = this.#text.latin1(start, end);
      } else {
        const content = endsOf(scanner.content());
        const text = utf8(content);
        element = safeElement(markBadBytes(text, content), this.names);
        given = isName(text) ? text : element;
        isRepaired ||= given !== element;
      }
      elements[count] = element;
      this.#given[count++] = given;
    }
    return { path: exactCopy(elements, count), rawPath: isRepaired ? this.#given.slice(0, count) : null };
  }
}

function hasElements(listed: ListedPath | undefined): listed is ListedPath {
  return listed !== undefined && listed.path.length > 1;
}

/** The folder's place and the elements. Arrays that grow by `push` keep room for sixteen more. */
function exactCopy(elements: readonly string[], count: number): string[] {
  if (count === 1) return [FOLDER, elements[0]!];
  if (count === 2) return [FOLDER, elements[0]!, elements[1]!];
  return [FOLDER, ...elements.slice(0, count)];
}

function readSize(length: BencodeScalar | null | undefined, index: number): number {
  // The field's name is only put together once it is needed: half a million of them cost more than reading the files.
  if (typeof length === 'number' && length >= 0 && length <= MAX_FILE_BYTES) return length;
  return wholeNumber(`info.files[${index}].length`, length, 0, MAX_FILE_BYTES);
}

/** Whether a server may have a file or folder of this name: its bytes were UTF-8, and it leads nowhere else. */
export function isName(text: string): boolean {
  return text !== '.' && text !== '..' && text.length <= MAX_RAW_ELEMENT_CHARS && !text.includes('\ufffd');
}
