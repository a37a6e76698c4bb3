// The package `re2js`, loaded with the first pattern that somebody writes: it would be a tenth of what each start reads.
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';

let loaded: typeof Re2 | null = null;

export function re2(): typeof Re2 {
  // Patterns are compiled within calls that cannot wait.
  return (loaded ??= createRequire(import.meta.url)('re2js') as typeof Re2);
}
