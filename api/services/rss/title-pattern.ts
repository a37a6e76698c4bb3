// The pattern of a filter on titles (docs/semantics.md section 9): RE2 syntax, unanchored, linear in the title whatever
// a user writes. JavaScript's own expressions backtrack and would hang the thread.
import { RE2JS, RE2JSException } from 're2js';
import type { FilterDto } from '../../../shared-protocol/dto/rss.js';
import { RequestError } from '../../errors.js';

/**
 * Repeats are compiled by copying: length times the largest repeat bounds the copies, and by that the time it takes to
 * compile (some 50 ms) and to match. No spec value; `.{0,1000}` in a pattern of 100 characters passes.
 */
const MAX_COPIES = 100_000;

export type TitlePattern = (title: string) => boolean;

/** Empty matches all. @throws RequestError `REGEX_INVALID` */
export function compileTitlePattern(regex: string): TitlePattern {
  if (regex === '') return () => true;
  if (regex.length * largestRepeat(regex) > MAX_COPIES) throw invalid('repeats too much');
  try {
    const compiled = RE2JS.compile(regex);
    return (title) => compiled.matcher(title).find();
  } catch (error) {
    if (error instanceof RE2JSException) throw invalid(error.message.replace(/^error parsing regexp: /, ''));
    throw error;
  }
}

/** Whether a title passes a filter. @throws RequestError `REGEX_INVALID` */
export function matches(filter: Pick<FilterDto, 'regex'>, title: string): boolean {
  return compileTitlePattern(filter.regex)(title);
}

function largestRepeat(regex: string): number {
  const repeats = [...regex.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  return Math.max(1, ...repeats.map(([, least, most]) => Math.max(Number(least), Number(most ?? 0))));
}

function invalid(reason: string): RequestError {
  return new RequestError('REGEX_INVALID', `regex: ${reason}`);
}
