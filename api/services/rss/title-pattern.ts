// The pattern of a filter on titles (docs/semantics.md section 9): RE2 syntax, unanchored, linear in the title whatever
// a user writes. JavaScript's own expressions backtrack and would hang the thread.
import type { RE2JS } from 're2js';
import type { FilterDto } from '../../../shared-protocol/dto/rss.js';
import { RequestError } from '../../errors.js';
import { re2 } from './re2.js';

/**
 * Repeats are compiled by copying: length times the largest repeat bounds the copies, and by that the time it takes to
 * compile (some 50 ms) and to match. No spec value; `.{0,1000}` in a pattern of 100 characters passes.
 */
const MAX_COPIES = 100_000;
/** Instructions of a pattern. No spec value; `.{0,1000}` has 2,000. */
const MAX_INSTRUCTIONS = 3_000;
/**
 * Instructions times characters of a title, some 0.1 microseconds each, as nothing else runs while one title is matched: a
 * title of 200 characters for the largest pattern, for usual ones all that a feed may bring.
 */
const MAX_WORK = 600_000;

const TOO_LARGE = 'repeats too much';

export type TitlePattern = (title: string) => boolean;

/** Empty matches all; a title that is too long for a large pattern is no match. @throws RequestError `REGEX_INVALID` */
export function compileTitlePattern(regex: string): TitlePattern {
  return compile(regex, 'regex', false);
}

/** Empty matches none; a title that is too long for a large pattern is excluded. @throws RequestError `REGEX_INVALID` */
export function compileExclusion(regex: string): TitlePattern {
  return regex === '' ? () => false : compile(regex, 'exclude_regex', true);
}

/** `field`: what people know it by. `ofTooLong`: what is said of a title that is too long for a large pattern. */
function compile(regex: string, field: string, ofTooLong: boolean): TitlePattern {
  if (regex === '') return () => true;
  const repeats = repeatsIn(regex);
  const copies = repeats.reduce((sum, count) => sum + count, 0);
  if (regex.length * Math.max(1, ...repeats) > MAX_COPIES || copies > MAX_INSTRUCTIONS) throw invalid(field, TOO_LARGE);
  const compiled = compiledFrom(regex, field);
  const instructions = compiled.programSize();
  if (instructions > MAX_INSTRUCTIONS) throw invalid(field, TOO_LARGE);
  return (title) => (instructions * title.length <= MAX_WORK ? compiled.matcher(title).find() : ofTooLong);
}

/** Whether a title passes a filter. @throws RequestError `REGEX_INVALID` */
export function matches(filter: Pick<FilterDto, 'regex'>, title: string): boolean {
  return compileTitlePattern(filter.regex)(title);
}

function compiledFrom(regex: string, field: string): RE2JS {
  try {
    return re2().RE2JS.compile(regex);
  } catch (error) {
    if (error instanceof re2().RE2JSException)
      throw invalid(field, error.message.replace(/^error parsing regexp: /, ''));
    throw error;
  }
}

function repeatsIn(regex: string): number[] {
  const repeats = [...regex.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  return repeats.map(([, least, most]) => Math.max(Number(least), Number(most ?? 0)));
}

function invalid(field: string, reason: string): RequestError {
  return new RequestError('REGEX_INVALID', `${field}: Invalid regular expression: ${reason}`);
}
