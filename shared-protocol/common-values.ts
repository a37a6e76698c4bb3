// Values that thousands of torrents have in common and that come anew with each of them, out of a parser or a message from
// another thread: save paths, announce URLs, lists of nothing. Kept once, they cost a torrent 8 bytes and not 50 to 150.

/** Passkeys make announce URLs differ; those that are met but once are not to be kept for ever. */
const MAX_KNOWN = 10_000;
const NONE: readonly never[] = [];

/** The one list of nothing in place of another; any other list as it is. */
export function commonList<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? NONE : list;
}

export class CommonTexts {
  readonly #known = new Map<string, string>();

  /** The same text, as it was met first. */
  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    // What was handed out stays as it is; only who comes later gets another copy.
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }
}
