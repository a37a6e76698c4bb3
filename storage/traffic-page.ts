// Bytes moved of up to 4,000 series in one value of the store: numbers ascending, each as its distance from the one before,
// then the bytes down and up, all as variable-length integers (seven bits in a byte, the lowest first). A series of which
// nothing was moved is not there, so that what rests takes no room.
export interface Moved {
  /** Bytes of payload. */
  readonly down: number;
  readonly up: number;
}

/**
 * Series in one page. Ten bytes each fill ten pages of LMDB, which rounds up; so of 4,096 a tenth would be waste. Decoded in
 * a tenth of a millisecond.
 */
export const SERIES_IN_PAGE = 4_000;

/** A distance of two bytes and two numbers below 2^53. */
const MAX_ENTRY_BYTES = 2 + 8 + 8;

export type Page = Map<number, Moved>;

/** By place in the page, from 0. Numbers are whole, from 0 to 2^53 - 1. */
export function encodePage(page: Page): Buffer {
  const bytes = Buffer.allocUnsafe(page.size * MAX_ENTRY_BYTES);
  let at = 0;
  const put = (value: number): void => {
    let rest = value;
    while (rest >= 0x80) {
      bytes[at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[at++] = rest;
  };
  let last = -1;
  for (const place of [...page.keys()].sort((a, b) => a - b)) {
    const { down, up } = page.get(place)!;
    put(place - last - 1);
    put(down);
    put(up);
    last = place;
  }
  return bytes.subarray(0, at);
}

/** Entries that are cut off at the end count as absent. */
export function decodePage(bytes: Uint8Array): Page {
  const page: Page = new Map();
  for (const [place, moved] of entriesOf(bytes)) page.set(place, moved);
  return page;
}

export function findInPage(bytes: Uint8Array, wanted: number): Moved | null {
  for (const [place, moved] of entriesOf(bytes)) {
    if (place === wanted) return moved;
    if (place > wanted) return null;
  }
  return null;
}

function* entriesOf(bytes: Uint8Array): Iterable<readonly [place: number, moved: Moved]> {
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 0x80) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  for (let place = take(); at < bytes.length; place += take() + 1) {
    const [down, up] = [take(), take()];
    if (Number.isNaN(place) || Number.isNaN(down) || Number.isNaN(up)) return;
    yield [place, { down, up }];
  }
}
