// The folders that one look at many files has found to be absent: nothing below them has to be asked for. Of a torrent of
// which nothing is there that is one question in place of one for each file. For one look alone: a moment later a folder
// may be there.

export class AbsentFolders {
  readonly #folders = new Set<string>();

  /** `elements`: from the root on; none is the root itself. */
  add(elements: readonly string[]): void {
    this.#folders.add(keyOf(elements, elements.length));
  }

  /** Whether the path lies below one of them. */
  hold(path: readonly string[]): boolean {
    if (this.#folders.size === 0) return false;
    return path.some((_, depth) => this.#folders.has(keyOf(path, depth)));
  }
}

/** Elements of paths have no slashes. */
function keyOf(path: readonly string[], depth: number): string {
  return path.slice(0, depth).join('/');
}
