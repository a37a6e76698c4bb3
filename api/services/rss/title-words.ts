// qBittorrent's words for titles as a pattern of Swarmd's filters (RE2): `|` between alternatives, each of which is words that
// all have to be there in any order, with `*` and `?` in them, whatever the case. Pure.
import { MAX_FILTER_REGEX_LENGTH } from '../../../shared-protocol/dto/rss.js';
import { RequestError } from '../../errors.js';

/** RE2 knows no `and`: each order of them is a branch of its own. */
const MAX_WORDS = 4;
/** In front of a pattern: whatever the case. */
const ANY_CASE = '(?i)';

/** Empty lets all through. `any`: the character that `?` stands for. @throws RequestError `RSS_REFUSED` for what has no such pattern */
export function patternOfWords(text: string, any = '.'): string {
  const alternatives = text.split('|').map((alternative) => withoutContained(wordsIn(alternative)));
  if (alternatives.some((words) => words.length === 0)) return '';
  const branches = alternatives.flatMap((words) => {
    if (words.length > MAX_WORDS) throw new RequestError('RSS_REFUSED', `mustContain: at most ${MAX_WORDS} words`);
    return ordersOf(words).map((order) => joined(order, any));
  });
  return bounded(`${ANY_CASE}${branches.join('|')}`);
}

/** qBittorrent's expressions are for any case. @throws RequestError `RSS_REFUSED` for one that is too long */
export function patternOfExpression(expression: string): string {
  return expression === '' ? '' : bounded(`${ANY_CASE}${expression}`);
}

/** The pattern of what titles must not contain: empty leaves none out; one that all titles contain leaves all out. @throws as `patternOf` does */
export function exclusionOf(text: string, patternOf: (text: string) => string): string {
  return text === '' ? '' : patternOf(text) || '.*';
}

/** The expression as qBittorrent shows it. */
export function expressionOf(pattern: string): string {
  return pattern.startsWith(ANY_CASE) ? pattern.slice(ANY_CASE.length) : pattern && `(?-i)${pattern}`;
}

/** Words as qBittorrent takes them apart: between spaces of ASCII. */
export function wordsIn(text: string): string[] {
  return text.split(/[ \t\n\v\f\r]+/).filter((word) => word !== '');
}

/** Words that are letter for letter in another one are found with it. */
function withoutContained(words: readonly string[]): string[] {
  const isIn = (word: string, other: string) => other.toLowerCase().includes(word.toLowerCase());
  return words.filter(
    (word, index) =>
      !words.some(
        (other, at) => at !== index && isPlain(other) && isIn(word, other) && (at < index || !isIn(other, word)),
      ),
  );
}

/** Words one after the other, also where one begins within the end of the one before, as the letters of both allow. */
function joined(words: readonly string[], any: string): string {
  return words.reduce((before, word, index) => {
    const last = words[index - 1];
    const pattern = patternOfWord(word, any);
    if (last === undefined) return pattern;
    const rests = isPlain(last) && isPlain(word) ? restsOf(last, word).map((rest) => patternOfWord(rest, any)) : [];
    return rests.length === 0 ? `${before}.*${pattern}` : `${before}(?:${['.*' + pattern, ...rests].join('|')})`;
  }, '');
}

/** The rests of the word after each of its beginnings that the one before ends with. */
function restsOf(before: string, word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, index) => index + 1)
    .filter((count) => before.toLowerCase().endsWith(word.slice(0, count).toLowerCase()))
    .map((count) => word.slice(count));
}

function isPlain(word: string): boolean {
  return !/[*?]/.test(word);
}

function bounded(pattern: string): string {
  if (pattern.length <= MAX_FILTER_REGEX_LENGTH) return pattern;
  throw new RequestError('RSS_REFUSED', `mustContain: longer than ${MAX_FILTER_REGEX_LENGTH} characters as a pattern`);
}

function ordersOf(words: readonly string[]): string[][] {
  if (words.length <= 1) return [[...words]];
  return words.flatMap((first, index) => ordersOf(words.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

function patternOfWord(word: string, any: string): string {
  const escaped = word.replace(/[.+^${}()[\]\\]/g, '\\$&');
  return escaped.replaceAll('*', `${any}*`).replaceAll('?', any);
}
