// Patterns on names: globs and RE2, both linear in the name whatever is written (services/rss/title-pattern.ts). What was
// found of a torrent is remembered for as long as its facts are the same, since numbers change far more often than names.
import { RequestError } from '../../errors.js';
import type { ListedTorrent } from '../library/shares.js';
import { shownName } from '../library/torrent-dto.js';
import { re2 } from '../rss/re2.js';
import { compileTitlePattern } from '../rss/title-pattern.js';

/** `*` is any number of characters, `?` is one; case does not count. */
export function globToRegex(glob: string): string {
  const parts = glob.split(/([*?])/).map((part) => {
    if (part === '*') return '.*';
    return part === '?' ? '.' : re2().RE2JS.quote(part);
  });
  return `(?is)^${parts.join('')}$`;
}

/** @throws RequestError `REGEX_INVALID` */
export function compileNamePattern(syntax: 'glob' | 'regex', pattern: string): (facts: ListedTorrent) => boolean {
  const matches = compiled(syntax === 'glob' ? globToRegex(pattern.replace(/\*+/g, '*')) : pattern);
  const known = new WeakMap<ListedTorrent, boolean>();
  return (facts) => {
    const before = known.get(facts);
    if (before !== undefined) return before;
    const found = matches(shownName(facts));
    known.set(facts, found);
    return found;
  };
}

function compiled(regex: string): (text: string) => boolean {
  try {
    return compileTitlePattern(regex);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(error.code, error.message.replace(/^regex: /, 'pattern: '));
  }
}
