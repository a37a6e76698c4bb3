// Names that strangers choose, made safe to use on any file system (safety.md 2.1). `safeElement` is the one door for
// metainfo, renames and everything else that becomes part of a path. `joinInside` does not rely on it: it is the
// second line of defence, at the moment a path is used. The rules of Windows hold everywhere, as torrents move.
import { isUtf8 } from 'node:buffer';
import { isAbsolute, resolve, sep } from 'node:path';
import { AppError } from '../../shared-protocol/errors.js';
import { utf8 } from './bencode.js';
import { MAX_ELEMENT_BYTES } from './constants.js';

/** Separators, what Windows forbids, C0, DEL, C1, line separators, lone surrogates. */

const FORBIDDEN = /[/\\<>:"|?*\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Surrogate}]/gu;
/** Marks that change the direction of writing, or that nobody sees. */
const INVISIBLE = /[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/** Device names of Windows, with whatever extension; superscript digits count there too. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;
/** Nothing to repair in these but their length, end and device names. */
const PLAIN = /^[\w ()[\]{}.,;'!#$%&+=@^~-]+$/;
/** Longer "extensions" are rather a sentence with a dot in it. */
const MAX_EXTENSION_CHARS = 16;

/**
 * One path element made safe: 1 to 240 bytes of UTF-8, no separators, never `.` or `..`. Bytes that are not UTF-8
 * become `_`. Idempotent: what it returned, it returns again.
 */
export function safeElement(name: string | Uint8Array): string {
  let element = typeof name === 'string' ? name : decode(name);
  if (!PLAIN.test(element)) element = element.replace(INVISIBLE, '').replace(FORBIDDEN, '_');
  // Cutting may lay bare a trailing space or a device name, so until nothing changes: three rounds at most.
  for (;;) {
    let next = shorten(trimEnd(element), MAX_ELEMENT_BYTES);
    if (DEVICE.test(next)) next = `_${next}`;
    if (next === '') next = '_';
    if (next === element) return element;
    element = next;
  }
}

/** `name.ext` with a number before the extension, for a path that is taken already. */
export function numberedElement(element: string, number: number): string {
  const { stem, extension } = splitExtension(element);
  const suffix = `.${number}${extension}`;
  return safeElement(shorten(stem, MAX_ELEMENT_BYTES - Buffer.byteLength(suffix)) + suffix);
}

/**
 * The absolute path of `elements` below `root`, which must be absolute. Proves that the result lies inside, whatever
 * the elements went through before.
 * @throws AppError `SAVE_PATH_INVALID`
 */
export function joinInside(root: string, elements: readonly string[]): string {
  if (!isAbsolute(root) || root.includes('\0')) throw unsafe(`${JSON.stringify(root)} is not an absolute path`);
  const base = resolve(root);
  for (const element of elements) {
    if (element === '' || element === '.' || element === '..' || /[/\\\0]/.test(element)) {
      throw unsafe(`${JSON.stringify(element)} is not a path element`);
    }
  }
  const resolved = resolve(base, ...elements);
  const inside = base.endsWith(sep) ? base : base + sep;
  if (!resolved.startsWith(inside) || resolved === inside) throw unsafe(`${resolved} is not inside ${base}`);
  return resolved;
}

function unsafe(problem: string): AppError {
  return new AppError('SAVE_PATH_INVALID', `path: ${problem}`);
}

function decode(bytes: Uint8Array): string {
  const text = utf8(bytes);
  return text.includes('\ufffd') && !isUtf8(bytes) ? text.replaceAll('\ufffd', '_') : text;
}

/** Without trailing dots and spaces. Not a regular expression: those go back over long runs again and again. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '.' || text[end - 1] === ' ')) end--;
  return text.slice(0, end);
}

/** At most so many bytes, cut between code points before the extension. */
function shorten(element: string, maxBytes: number): string {
  if (element.length * 3 <= maxBytes || Buffer.byteLength(element) <= maxBytes) return element;
  const { stem, extension } = splitExtension(element);
  let room = maxBytes - Buffer.byteLength(extension);
  let end = 0;
  for (const character of stem) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    end += character.length;
  }
  return stem.slice(0, end) + extension;
}

function splitExtension(element: string): { stem: string; extension: string } {
  const dot = element.lastIndexOf('.');
  const isExtension = dot > 0 && element.length - dot <= MAX_EXTENSION_CHARS;
  return isExtension
    ? { stem: element.slice(0, dot), extension: element.slice(dot) }
    : { stem: element, extension: '' };
}
