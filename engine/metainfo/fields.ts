// How a bad field of a torrent is reported: its name and the offending value, cut to what fits a line.
import { AppError } from '../../shared-protocol/errors.js';
import { utf8 } from './bencode.js';
import type { BencodeScalar } from '../../shared-protocol/bencode-scanner.js';
import { because } from '../../shared-protocol/reasons.js';

const SHOWN_CHARS = 60;

export function invalid(field: string, problem: string): AppError {
  const said = `${field}: ${problem}`;
  return new AppError('TORRENT_INVALID', said, because('TORRENT_INVALID', { field, detail: said }));
}

export function show(value: BencodeScalar | null | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'a list or dictionary';
  if (value instanceof Uint8Array) return JSON.stringify(utf8(value.subarray(0, SHOWN_CHARS)));
  return String(value).slice(0, SHOWN_CHARS);
}

/** An integer in [min, max]; an integer that a double cannot hold is beyond every max. */
export function wholeNumber(field: string, value: BencodeScalar | null | undefined, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw invalid(field, `${show(value)}, expected an integer from ${min} to ${max}`);
}
