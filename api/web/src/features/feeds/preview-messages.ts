// What the page and the worker of the preview say to each other.
import type { Pattern } from './pattern.js';

export interface PreviewQuestion {
  readonly patterns: readonly Pattern[];
  readonly titles: readonly string[];
}

/** `ready` once; then, for each question, the indices of the titles that one of the patterns is found in. */
export type PreviewAnswer =
  { readonly kind: 'ready' } | { readonly kind: 'matched'; readonly indices: readonly number[] };
