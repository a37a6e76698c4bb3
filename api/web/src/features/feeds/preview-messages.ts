// What the page and the worker of the preview say to each other.
import type { Pattern } from './pattern.js';

export interface PreviewFilter {
  readonly wanted: Pattern;
  /** null: no title is left out. */
  readonly excluded: Pattern | null;
}

export interface PreviewQuestion {
  readonly filters: readonly PreviewFilter[];
  readonly titles: readonly string[];
}

/** `ready` once; then, for each question, the titles that one of the filters lets through, with the first that does. */
export type PreviewAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'matched'; readonly matches: readonly (readonly [title: number, filter: number])[] };
