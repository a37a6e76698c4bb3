// qBittorrent's words for titles as a pattern of Swarmd's filters (RE2): `|` between alternatives, each of which is words that
// all have to be there in any order, with `*` and `?` in them, whatever the case. Pure.
import { MAX_FILTER_REGEX_LENGTH } from '../../../../shared-protocol/dto/rss.js';
import { RequestError } from '../../../errors.js';

/** RE2 knows no `and`: each order of them is a branch of its own. */
const MAX_WORDS = 4;
/** In front of a pattern: whatever the case. */
const ANY_CASE = '(?i)';

/** Empty lets all through. @throws RequestError `RSS_REFUSED` for what has no such pattern */
export function patternOfWords(text: string): string {
  const alternatives = text.split('|').map((alternative) => alternative.split(/\s+/).filter((word) => word !== ''));
  if (alternatives.some((words) => words.length === 0)) return '';
  const branches = alternatives.flatMap((words) => {
    if (words.length > MAX_WORDS) throw new RequestError('RSS_REFUSED', `mustContain: at most ${MAX_WORDS} words`);
    return ordersOf(words).map((order) => order.map(patternOfWord).join('.*'));
  });
  return bounded(`${ANY_CASE}${branches.join('|')}`);
}

/** qBittorrent's expressions are for any case. @throws RequestError `RSS_REFUSED` for one that is too long */
export function patternOfExpression(expression: string): string {
  return expression === '' ? '' : bounded(`${ANY_CASE}${expression}`);
}

/** The expression as qBittorrent shows it. */
export function expressionOf(pattern: string): string {
  return pattern.startsWith(ANY_CASE) ? pattern.slice(ANY_CASE.length) : pattern && `(?-i)${pattern}`;
}

function bounded(pattern: string): string {
  if (pattern.length <= MAX_FILTER_REGEX_LENGTH) return pattern;
  throw new RequestError('RSS_REFUSED', `mustContain: longer than ${MAX_FILTER_REGEX_LENGTH} characters as a pattern`);
}

function ordersOf(words: readonly string[]): string[][] {
  if (words.length <= 1) return [[...words]];
  return words.flatMap((first, index) => ordersOf(words.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

function patternOfWord(word: string): string {
  const escaped = word.replace(/[.+^${}()[\]\\]/g, '\\$&');
  return escaped.replaceAll('*', '.*').replaceAll('?', '.');
}
