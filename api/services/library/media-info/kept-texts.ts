// Texts about files of torrents, the ones that were asked for last. In memory only.
import type { TorrentId } from '../../../../shared-protocol/ids.js';

/** Bound of all torrents together: some thousands of usual ones, which have 2 KiB. No spec value. */
const MAX_KEPT_CHARS = 4 * 1024 * 1024;

export class KeptTexts {
  /** By torrent and file; the one that was asked for last comes last. */
  readonly #texts = new Map<`${TorrentId} ${number}`, string>();
  #chars = 0;

  /** Characters of all that are kept. */
  get size(): number {
    return this.#chars;
  }

  of(id: TorrentId, index: number): string | null {
    const text = this.#texts.get(`${id} ${index}`);
    if (text === undefined) return null;
    this.keep(id, index, text);
    return text;
  }

  keep(id: TorrentId, index: number, text: string): void {
    this.#drop(`${id} ${index}`);
    this.#texts.set(`${id} ${index}`, text);
    this.#chars += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#chars <= MAX_KEPT_CHARS) return;
      this.#drop(oldest);
    }
  }

  /** The torrent is gone. */
  forget(id: TorrentId): void {
    for (const key of this.#texts.keys()) if (key.startsWith(`${id} `)) this.#drop(key);
  }

  #drop(key: `${TorrentId} ${number}`): void {
    this.#chars -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
