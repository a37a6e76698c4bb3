// The pattern of a filter on titles (docs/semantics.md section 9): RE2 syntax, unanchored, linear in the title whatever
// a user writes. JavaScript's own expressions backtrack and would hang the thread.
import type { RE2JS } from 're2js';
import { because } from '../../../shared-protocol/reasons.js';
import { RequestError } from '../../errors.js';
import { sizeOf } from './pattern-size.js';
import { re2 } from './re2.js';

/** Instructions of a pattern. No spec value; `.{0,1000}` has 2,000. */
const MAX_INSTRUCTIONS = 3_000;
/**
 * Instructions times characters of a title, some 25 nanoseconds each, as nothing else runs while one title is matched: a
 * title of 200 characters for the largest pattern, for usual ones all that a feed may bring.
 */
const MAX_WORK = 600_000;
/** Classes of Unicode (`\pL`): half a millisecond each to compile, more where they are joined. No spec value. */
const MAX_CLASSES = 12;
/** Characters of ranges that ignore case, looked up one by one: all letters there are, once. 5 ms. */
const MAX_FOLDED = 150_000;

export type TitlePattern = (title: string) => boolean;

export interface PatternBounds {
  readonly maxInstructions: number;
  /** Instructions times characters. */
  readonly maxWork: number;
}
const OF_TITLES: PatternBounds = { maxInstructions: MAX_INSTRUCTIONS, maxWork: MAX_WORK };

/** Empty matches all; a title that is too long for a large pattern is no match. @throws RequestError `REGEX_INVALID` */
export function compileTitlePattern(regex: string): TitlePattern {
  if (regex === '') return () => true;
  const pattern = compilePattern(regex, 'regex', OF_TITLES);
  return (title) => pattern.isFor(title) && pattern.isFoundIn(title);
}

/** Empty matches none; a title that is too long for a large pattern is excluded. @throws RequestError `REGEX_INVALID` */
export function compileExclusion(regex: string): TitlePattern {
  if (regex === '') return () => false;
  const pattern = compilePattern(regex, 'exclude_regex', OF_TITLES);
  return (title) => !pattern.isFor(title) || pattern.isFoundIn(title);
}

export interface Pattern {
  /** False: the text is too long for so large a pattern. */
  readonly isFor: (text: string) => boolean;
  readonly isFoundIn: (text: string) => boolean;
}

/** `field`: what people know it by. @throws RequestError `REGEX_INVALID` */
export function compilePattern(regex: string, field: string, { maxInstructions, maxWork }: PatternBounds): Pattern {
  const size = sizeOf(regex);
  if (size.instructions > maxInstructions) throw invalid(field, 'repeats too much', 'REGEX_TOO_LARGE');
  if (size.classes > MAX_CLASSES) throw invalid(field, `more than ${MAX_CLASSES} Unicode classes`);
  if (size.folded > MAX_FOLDED) throw invalid(field, 'ranges too wide where case does not count');
  const compiled = compiledFrom(regex, field);
  const instructions = compiled.programSize();
  return {
    isFor: (text) => instructions * text.length <= maxWork,
    isFoundIn: (text) => compiled.matcher(text).find(),
  };
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

function invalid(
  field: string,
  detail: string,
  reason: 'REGEX_INVALID' | 'REGEX_TOO_LARGE' = 'REGEX_INVALID',
): RequestError {
  const said = `${field}: Invalid regular expression: ${detail}`;
  return new RequestError('REGEX_INVALID', said, because(reason, { detail }));
}
