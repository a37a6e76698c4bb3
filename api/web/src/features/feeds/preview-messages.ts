// What the page and the worker of the preview say to each other.
import type { Pattern } from './pattern.js';

export interface PreviewQuestion {
  readonly patterns: readonly Pattern[];
  readonly titles: readonly string[];
}

/** `ready` once; then, for each question, the titles that one of the patterns is found in, with the first that is. */
export type PreviewAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'matched'; readonly matches: readonly (readonly [title: number, pattern: number])[] };
