// The repository as its documents and comments speak of it: which files and folders there are, and what each file says.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const NOT_OURS: ReadonlySet<string> = new Set(['.git', '.tap', 'dist', 'node_modules']);
const TEXT = /\.(?:[cm]?[jt]sx?|py|css|html|md|ya?ml)$|^\.ci\//;

export class Tree {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #filesByName = new Map<string, string[]>();
  readonly #foldersByName = new Map<string, string[]>();
  readonly #texts = new Map<string, string>();

  /** `files`: texts by path, in place of those of the repository. */
  constructor(files?: Readonly<Record<string, string>>) {
    if (files) for (const [path, text] of Object.entries(files)) this.#add(path, text);
    else this.#walk('');
  }

  /** Those that have something to say, in order. */
  get texts(): readonly string[] {
    return [...this.#files].filter((path) => TEXT.test(path)).toSorted();
  }

  has(path: string): boolean {
    return this.#files.has(path) || this.#folders.has(path);
  }

  /** Files, or folders, that have this name, wherever they are. */
  named(name: string, isFolder: boolean): readonly string[] {
    return (isFolder ? this.#foldersByName : this.#filesByName).get(name) ?? [];
  }

  read(path: string): string {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const text = readFileSync(join(ROOT, path), 'utf8');
    this.#texts.set(path, text);
    return text;
  }

  #walk(folder: string): void {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) this.#walk(path);
      else this.#add(path);
    }
  }

  #add(path: string, text?: string): void {
    this.#files.add(path);
    note(this.#filesByName, path);
    if (text !== undefined) this.#texts.set(path, text);
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
      note(this.#foldersByName, folder);
    }
  }
}

function note(byName: Map<string, string[]>, path: string): void {
  const name = posix.basename(path);
  const paths = byName.get(name);
  if (paths) paths.push(path);
  else byName.set(name, [path]);
}
