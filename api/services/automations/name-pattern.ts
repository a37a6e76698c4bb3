// Patterns on names: globs and RE2, both linear in the name whatever is written (services/rss/title-pattern.ts). Owns: each
// takes some milliseconds at most to compile, which it is when it is first asked, and to be looked for in one name.
import { re2 } from '../rss/re2.js';
import { compilePattern, type Pattern, type PatternBounds } from '../rss/title-pattern.js';
import { sizeOf } from '../rss/pattern-size.js';

/** A glob of 200 characters has no more than 400. 2.5 ms for one name, of 250 characters for a pattern of 400 instructions. */
const BOUNDS: PatternBounds = { maxInstructions: 1_000, maxWork: 100_000 };

/** `*` is any number of characters, `?` is one; case does not count. */
function globToRegex(glob: string): string {
  const parts = glob.split(/([*?])/).map((part) => {
    if (part === '*') return '.*';
    return part === '?' ? '.' : re2().RE2JS.quote(part);
  });
  return `(?is)^${parts.join('')}$`;
}

export class NamePattern {
  readonly #regex: string;
  #size: number | null = null;
  /** null: what was stored before is larger than it may be. */
  #compiled: Pattern | null | undefined;

  constructor(syntax: 'glob' | 'regex', pattern: string) {
    this.#regex = syntax === 'glob' ? globToRegex(pattern.replace(/\*+/g, '*')) : pattern;
  }

  /** Instructions, at most. */
  get size(): number {
    return (this.#size ??= sizeOf(this.#regex).instructions);
  }

  /** @throws RequestError `REGEX_INVALID` */
  compile(): void {
    this.#compiled ??= compilePattern(this.#regex, 'pattern', BOUNDS);
  }

  /** Whether it can be looked for in the name: none can in one that is too long for it, and one that is not valid nowhere. */
  isFor(name: string): boolean {
    return this.#ready?.isFor(name) ?? false;
  }

  isFoundIn(name: string): boolean {
    const pattern = this.#ready;
    return pattern !== null && pattern.isFor(name) && pattern.isFoundIn(name);
  }

  get isReady(): boolean {
    return this.#compiled !== undefined;
  }

  /** Compiles it unless it is not valid. */
  makeReady(): void {
    try {
      this.compile();
    } catch {
      this.#compiled = null;
    }
  }

  get #ready(): Pattern | null {
    if (!this.isReady) this.makeReady();
    return this.#compiled ?? null;
  }
}
