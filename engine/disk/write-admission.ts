// Asks a torrent's volume before each of its writes. Which volume that is, is found out with the first write, and again
// after the storage was let go: its folder may have been mounted over meanwhile.
import type { Volume } from './volume.js';
import type { Volumes } from './volumes.js';

export class WriteAdmission {
  #volume: Volume | null = null;

  constructor(
    private readonly volumes: Volumes,
    private readonly savePath: string,
  ) {}

  /** Before a write, `done` after it; null: go on at once. Rejects with why the write is not to be tried. */
  admit(bytes: number): Promise<void> | null {
    return this.#volume ? this.#volume.admit(bytes, this.savePath) : this.#findAndAdmit(bytes);
  }

  done(bytes: number): void {
    this.#volume?.done(bytes);
  }

  /** Not while a write is under way. */
  forget(): void {
    this.#volume = null;
  }

  async #findAndAdmit(bytes: number): Promise<void> {
    const volume = await this.volumes.of(this.savePath);
    this.#volume = volume;
    await volume?.admit(bytes, this.savePath);
  }
}
