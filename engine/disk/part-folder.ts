// Which part files there are. Nearly all torrents have none, and each that is opened would look for its own: the folder
// is read once, and is this engine's alone from then on.
import { readdir } from 'node:fs/promises';
import { isAbsent } from './errors.js';

export class PartFolder {
  #names: Promise<Set<string> | null> | null = null;

  constructor(readonly path: string) {}

  /** Whether it is worth to be opened; true as well while the folder cannot be read. */
  async mayHave(name: string): Promise<boolean> {
    const names = await (this.#names ??= this.#read());
    return names?.has(name) ?? true;
  }

  async onMade(name: string): Promise<void> {
    (await this.#names)?.add(name);
  }

  async onRemoved(name: string): Promise<void> {
    (await this.#names)?.delete(name);
  }

  /** null: the folder is there and cannot be read; asked for again. */
  async #read(): Promise<Set<string> | null> {
    try {
      return new Set(await readdir(this.path));
    } catch (error) {
      if (isAbsent(error)) return new Set();
      this.#names = null;
      return null;
    }
  }
}
