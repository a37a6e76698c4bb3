// What is typed into the search: words, "phrases", /patterns/, fields as in `tag:linux`, figures as in `size>10G`; `-`
// before any of them excludes, OR between two lets either do. All others have to hold. Pure.
import type { Torrent } from '../live/messages.js';
import { compileTerm, type SearchDeps } from './search-terms.js';

export type { SearchDeps } from './search-terms.js';

export interface Search {
  readonly passes: (torrent: Torrent) => boolean;
  /** The patterns that are none; nothing matches them. */
  readonly broken: readonly string[];
}

/** A term begins with a field, a quote, a slash, or is a word. Within quotes and slashes spaces belong to it. */
export const TERM = /-?(?:[a-z]+:)?"[^"]*"?|-?\/(?:\\.|[^/\\])+\/(?!\S)|\S+/gi;
const OR = 'OR';

export function compileSearch(text: string, deps: SearchDeps): Search {
  const broken: string[] = [];
  /** One of each group has to hold. */
  const groups: ((torrent: Torrent) => boolean)[][] = [];
  let joins = false;
  for (const [written] of text.matchAll(TERM)) {
    if (written === OR) {
      joins = groups.length > 0;
      continue;
    }
    const isExcluded = written.length > 1 && written.startsWith('-');
    const term = isExcluded ? written.slice(1) : written;
    const holds = compileTerm(term, deps);
    if (!holds) broken.push(term);
    const passes = (torrent: Torrent) => (holds ? holds(torrent) !== isExcluded : false);
    if (joins) groups.at(-1)?.push(passes);
    else groups.push([passes]);
    joins = false;
  }
  return { passes: (torrent) => groups.every((group) => group.some((passes) => passes(torrent))), broken };
}
