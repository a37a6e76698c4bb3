// Paths of another machine or container, told in paths of this one. Pure.

import { withoutTrailingSlashes } from './trailing-slashes.js';

export interface PathMapping {
  readonly from: string;
  readonly to: string;
}

/** The longest beginning that fits holds; whole folder names only. */
export function mappedPath(path: string, mappings: readonly PathMapping[]): string {
  const fitting = mappings
    .map(({ from, to }) => ({ from: bare(from), to: bare(to) }))
    .filter(({ from }) => path === from || path.startsWith(from === '/' ? '/' : `${from}/`))
    .sort((one, other) => other.from.length - one.from.length)[0];
  if (!fitting) return path;
  const rest = path.slice(fitting.from === '/' ? 0 : fitting.from.length);
  return `${fitting.to === '/' ? '' : fitting.to}${rest}` || '/';
}

function bare(path: string): string {
  return path.length > 1 ? withoutTrailingSlashes(path) || '/' : path;
}
