// Whether what is cited exists. Paths are meant from the root, from the folder of the file or one above it, or from a
// room (`wire/constants` in the engine's README); a name alone may be that of any file of the same room.
import { posix } from 'node:path';
import type { Citation } from './citations.js';
import { sectionsOf, type Sections } from './sections.js';
import type { Tree } from './tree.js';

/** Rooms that paths are written from as well. */
const ROOMS = ['', 'engine', 'api', 'test', 'api/web/src'];
/** What begins like this is of the tree or nothing. */
const TOP = /^(?:api|engine|shared-protocol|storage|test|bench|docs|types|\.ci|\.github)\//;
/** What else has a dot in it (`HTTP/1.1`, `a/b.bin`) is no file of ours. */
const SOURCE = /\.(?:tsx?|jsx?|md|mjs|css|html|py|ya?ml)$/;
/** Which files of every room speak of. */
const SHARED_ROOMS = ['shared-protocol', 'storage'];
/** Whose files speak of all the others. */
const ROOMS_OF_ALL: ReadonlySet<string> = new Set(['test', 'docs']);
const SHORTEST_NAME = 3;
const ENDS = ['', '.ts', '.tsx', '.js', '.md', '.module.css'];

export class CitationCheck {
  readonly #sections = new Map<string, Sections>();
  readonly #scripts: ReadonlySet<string>;

  constructor(
    private readonly tree: Tree,
    scripts: readonly string[],
    /** Paths of other trees: what is installed, built, served or written at run time. */
    private readonly elsewhere: readonly RegExp[],
  ) {
    this.#scripts = new Set(scripts);
  }

  /** What is wrong; null: nothing. */
  faultOf(from: string, citation: Citation): string | null {
    switch (citation.kind) {
      case 'path':
        return this.#isThere(from, citation.path) ? null : `no ${citation.path}`;
      case 'link':
        return this.#faultOfLink(from, citation.path, citation.anchor);
      case 'section':
        return this.#faultOfSection(from, citation);
      case 'script':
        return this.#scripts.has(citation.name) ? null : `no script ${citation.name} in package.json`;
      case 'outside':
        return `"${citation.text}" is nothing of this tree`;
    }
  }

  #isThere(from: string, named: string): boolean {
    if (this.elsewhere.some((pattern) => pattern.test(named))) return true;
    const path = named.replace(/^\.\//, '').replace(/\/$/, '');
    if (!path.includes('/')) return this.#isNameThere(from, path, named.endsWith('/'));
    // `IPv4/IPv6`, `and/or`: no path, unless it begins as one.
    if (!TOP.test(`${path}/`) && !SOURCE.test(path) && !named.endsWith('/')) return true;
    return this.#resolve(from, path) !== null;
  }

  #isNameThere(from: string, name: string, isFolder: boolean): boolean {
    if (name.length < SHORTEST_NAME || this.#resolve(from, name) !== null) return true;
    // Whoever reads a document must not have to look for it.
    if (name.endsWith('.md')) return false;
    const [room = ''] = from.split('/');
    const isAnyRoom = !from.includes('/') || ROOMS_OF_ALL.has(room);
    const source = name.replace(/\.js$/, '.ts');
    return [...this.tree.named(name, isFolder), ...this.tree.named(source, false)].some(
      (path) => isAnyRoom || [room, ...SHARED_ROOMS].includes(path.split('/')[0]!),
    );
  }

  /** The path in the tree. */
  #resolve(from: string, path: string): string | null {
    const bases = [...ROOMS, posix.dirname(from).replace(/^test\/\w+\//, '')];
    for (let folder = posix.dirname(from); folder !== '.'; folder = posix.dirname(folder)) bases.push(folder);
    for (const base of bases) {
      for (const end of ENDS) {
        const full = posix.join(base, path) + end;
        if (this.tree.has(full)) return full;
        const source = full.replace(/\.js$/, '.ts');
        if (this.tree.has(source)) return source;
      }
    }
    return null;
  }

  #faultOfLink(from: string, to: string, anchor: string): string | null {
    const path = to === '' ? from : posix.join(posix.dirname(from), to).replace(/\/$/, '');
    if (!this.tree.has(path)) return `no ${path}`;
    if (anchor === '') return null;
    return this.#sectionsOf(path).anchors.has(anchor) ? null : `no #${anchor} in ${path}`;
  }

  #faultOfSection(
    from: string,
    { document, section, by }: Extract<Citation, { readonly kind: 'section' }>,
  ): string | null {
    const path = this.#resolve(from, document);
    if (path === null) return `no ${document}`;
    const { anchors, numbers, names } = this.#sectionsOf(path);
    if (by === 'anchor') return anchors.has(section) ? null : `no #${section} in ${path}`;
    if (by === 'number') return numbers.has(section) ? null : `no section ${section} in ${path}`;
    // Long names are cited by their beginning.
    const name = section.replace(/\s*\n\s*(?:\/\/|\*)?\s*/g, ' ').toLowerCase();
    return [...names].some((heading) => heading.startsWith(name)) ? null : `no "${section}" in ${path}`;
  }

  #sectionsOf(path: string): Sections {
    const known = this.#sections.get(path) ?? sectionsOf(this.tree.read(path));
    this.#sections.set(path, known);
    return known;
  }
}
