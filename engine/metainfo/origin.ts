// Texts of a torrent file that say who made it and what for, as they are kept and shown: without characters that would turn
// text around or end it, and cut. No spec values: longer comments than people write.
import type { BencodeScalar } from '../../shared-protocol/bencode-scanner.js';
import { utf8 } from './bencode.js';
import { MAX_COMMENT_CHARS, MAX_ORIGIN_CHARS } from './constants.js';

type Field = BencodeScalar | null | undefined;

/** Longest sequence of UTF-8. */
const MAX_BYTES_OF_CHAR = 4;

/** Lines stay. Empty where it is no text. */
export function commentOf(field: Field): string {
  return cut(textOf(field, MAX_COMMENT_CHARS).replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu, ''), MAX_COMMENT_CHARS);
}

/** One line. Empty where it is no text. */
export function shortText(field: Field): string {
  return cut(textOf(field, MAX_ORIGIN_CHARS).replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '), MAX_ORIGIN_CHARS);
}

/** Unix seconds; 0 where it is no time that can be shown. */
export function secondsOf(field: Field): number {
  return typeof field === 'number' && Number.isSafeInteger(field) && field > 0 ? field : 0;
}

function textOf(field: Field, maxChars: number): string {
  return field instanceof Uint8Array ? utf8(field.subarray(0, maxChars * MAX_BYTES_OF_CHAR)) : '';
}

function cut(text: string, maxChars: number): string {
  return [...text].slice(0, maxChars).join('').trim();
}
