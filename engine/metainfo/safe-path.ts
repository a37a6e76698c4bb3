// Names that strangers choose, made safe to use on disk (docs/limits.md 2.1). `safeElement` is the one door for metainfo,
// renames and everything else that becomes part of a path. `joinInside` does not rely on it: it is the second line of defence,
// at the moment a path is used. A torrent keeps the rules by which it was added (docs/decisions/0036-names-of-posix.md).
import { isUtf8 } from 'node:buffer';
import { isAbsolute, resolve, sep } from 'node:path';
import { AppError } from '../../shared-protocol/errors.js';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import { utf8 } from './bencode.js';
import { MAX_NAME_BYTES, MAX_PORTABLE_NAME_BYTES } from './constants.js';

const KEPT = 0;
const REPLACED = 1;
const DROPPED = 2;
const SURROGATE = 3;
/** The fate of each UTF-16 unit. A table: regular expressions take microseconds for each name. */
const POSIX_FATE = new Uint8Array(0x1_0000);
POSIX_FATE[0x2f] = REPLACED;
/** C0, DEL and C1. */
POSIX_FATE.fill(REPLACED, 0, 0x20).fill(REPLACED, 0x7f, 0xa0);
POSIX_FATE.fill(SURROGATE, 0xd800, 0xe000);
/** Characters that change the direction of writing (Bidi_Control): with them a program is shown as a picture. */
POSIX_FATE[0x061c] = DROPPED;
POSIX_FATE.fill(DROPPED, 0x200e, 0x2010).fill(DROPPED, 0x202a, 0x202f).fill(DROPPED, 0x2066, 0x206a);
const PORTABLE_FATE = POSIX_FATE.slice();
/** Characters that Windows forbids besides. */
for (const character of '\\<>:"|?*') PORTABLE_FATE[character.charCodeAt(0)] = REPLACED;
/** Line separators. */
PORTABLE_FATE.fill(REPLACED, 0x2028, 0x202a);
/** Marks that are invisible. */
for (const unit of [0x180e, 0xfeff]) PORTABLE_FATE[unit] = DROPPED;
PORTABLE_FATE.fill(DROPPED, 0x200b, 0x2010).fill(DROPPED, 0x2060, 0x2070);
/** Invisible too, U+E0000 to U+E007F. */
const TAGS = /[\u{e0000}-\u{e007f}]/u;

/** Device names of Windows, with whatever extension; superscript digits count there too. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;
/** How those names begin, in lower case. */
const DEVICE_STARTS = ['con', 'prn', 'aux', 'nul', 'clo', 'com', 'lpt'].map((text) =>
  startOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2)),
);
/** Characters read of a name. Of longer ones only both ends are looked at: the middle is cut out in any case. */
const MAX_READ_CHARS = 4_096;
const DOT = 0x2e;
const SPACE = 0x20;
/** Longer "extensions" are rather a sentence with a dot in it. */
const MAX_EXTENSION_CHARS = 16;

/**
 * One path element made safe: 1 to 255 bytes of UTF-8 (portable ones 240), no separators, never `.` or `..`. Bytes that are not
 * UTF-8 become `_`. Idempotent: what it returned, it returns again. @default the rules of Windows
 */
export function safeElement(name: string | Uint8Array, rules: NameRules = 'windows'): string {
  const isPosix = rules === 'posix';
  let element = repair(typeof name === 'string' ? name : decode(name), isPosix);
  if (isPosix) {
    element = shorten(element, MAX_NAME_BYTES);
    return element === '' || element === '.' || element === '..' ? '_' : element;
  }
  // Cutting may lay bare a trailing space or a device name, so until nothing changes: three rounds at most.
  for (;;) {
    let next = shorten(trimEnd(element), MAX_PORTABLE_NAME_BYTES);
    if (isDevice(next)) next = `_${next}`;
    if (next === '') next = '_';
    if (next === element) return element;
    element = next;
  }
}

/** Whether these bytes are a name that {@link safeElement} would leave as it is, in ASCII. May say no of such a one. */
export function isSafeAscii(bytes: Uint8Array, start: number, end: number, rules: NameRules): boolean {
  const isPosix = rules === 'posix';
  const fate = isPosix ? POSIX_FATE : PORTABLE_FATE;
  const last = bytes[end - 1];
  // No posix name ends so without a closer look: `.` and `..` do.
  if (end === start || last === DOT || (last === SPACE && !isPosix)) return false;
  if (end - start > (isPosix ? MAX_NAME_BYTES : MAX_PORTABLE_NAME_BYTES)) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80 || fate[byte] !== KEPT) return false;
  }
  if (isPosix || end - start < 3) return true;
  return !DEVICE_STARTS.includes(startOf(bytes[start]!, bytes[start + 1]!, bytes[start + 2]!));
}

/**
 * Whether a POSIX file system has a name like this, which another program may have given: no separator, no control character,
 * never `.` or `..`, at most 255 bytes. Weaker than {@link safeElement}, and as little a way out of a folder.
 */
export function isPosixElement(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || Buffer.byteLength(name) > MAX_NAME_BYTES) return false;
  return !/[/\p{Cc}\p{Cs}\ufffd]/u.test(name);
}

/** `name.ext` with a number before the extension, for a path that is taken already. */
export function numberedElement(element: string, number: number, rules: NameRules = 'windows'): string {
  const maxBytes = rules === 'posix' ? MAX_NAME_BYTES : MAX_PORTABLE_NAME_BYTES;
  const { stem, extension } = splitExtension(element);
  const suffix = `.${number}${extension}`;
  const numbered = shorten(stem, maxBytes - Buffer.byteLength(suffix)) + suffix;
  // A short one cannot have become unsafe by a dot and digits: no device of Windows has one within.
  return numbered.length * 3 <= maxBytes ? numbered : safeElement(numbered, rules);
}

/** A name with something behind it, of which as much stays as a file system takes. */
export function withEnding(name: string, ending: string): string {
  return shorten(name, MAX_NAME_BYTES - Buffer.byteLength(ending)) + ending;
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
    // A backslash is a character like others where it separates nothing.
    const isPath = element.includes('/') || element.includes(sep) || element.includes('\0');
    if (element === '' || element === '.' || element === '..' || isPath) {
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
  return markBadBytes(utf8(bytes), bytes);
}

/** All that {@link safeElement} looks at of a name: of one of ten million bytes the rest is not even decoded. */
export function endsOf(bytes: Uint8Array): Uint8Array {
  // Four bytes make a character at most, and half of those read are from each end.
  const half = 2 * MAX_READ_CHARS;
  return bytes.length <= 2 * half ? bytes : Buffer.concat([bytes.subarray(0, half), bytes.subarray(-half)]);
}

/** `text`, decoded from `bytes`, with `_` for what was not UTF-8. A U+FFFD that was meant stays. */
export function markBadBytes(text: string, bytes: Uint8Array): string {
  return text.includes('\ufffd') && !isUtf8(bytes) ? text.replaceAll('\ufffd', '_') : text;
}

/** Every character by its fate; what is kept is copied in runs. */
function repair(name: string, isPosix: boolean): string {
  const fates = isPosix ? POSIX_FATE : PORTABLE_FATE;
  const half = MAX_READ_CHARS / 2;
  const text = name.length > MAX_READ_CHARS ? name.slice(0, half) + name.slice(-half) : name;
  let repaired = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    let fate = fates[text.charCodeAt(i)];
    if (fate === KEPT) continue;
    let units = 1;
    if (fate === SURROGATE) {
      const character = String.fromCodePoint(text.codePointAt(i)!);
      units = character.length;
      fate = units === 1 ? REPLACED : !isPosix && TAGS.test(character) ? DROPPED : KEPT;
    }
    if (fate !== KEPT) {
      repaired += text.slice(from, i);
      if (fate === REPLACED) repaired += '_';
      from = i + units;
    }
    i += units - 1;
  }
  return from === 0 ? text : repaired + text.slice(from);
}

function isDevice(element: string): boolean {
  if (element.length < 3) return false;
  const start = startOf(element.charCodeAt(0), element.charCodeAt(1), element.charCodeAt(2));
  return DEVICE_STARTS.includes(start) && DEVICE.test(element);
}

/** Three characters as one number, letters in lower case: cheaper to compare than a pattern is to try. */
function startOf(first: number, second: number, third: number): number {
  return ((first | 0x20) << 16) | ((second | 0x20) << 8) | (third | 0x20);
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
