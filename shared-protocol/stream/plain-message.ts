// Whether bytes are a message of what ours are made of (MessagePack, https://github.com/msgpack/msgpack/blob/master/spec.md). A decoder
// takes counts at their word, follows references, and makes text of a number of a megabyte: a few hundred bytes of the other side
// would take all memory, or minutes. Pure; looks at each item once.

/** Values, names of fields among them: the details of 200,000 files are half as many. */
export const MAX_ITEMS = 8_000_000;
/** Extensions that ours have: `undefined`, bytes of shared memory (codec.ts), and arrays of numbers, as msgpackr has them. */
const EXTENSIONS: ReadonlySet<number> = new Set([0x00, 0x53, 0x74]);

/** Bytes and items behind the first byte of an item. */
interface Shape {
  /** Bytes of a length, or of a number of items. */
  readonly lengthBytes?: 1 | 2 | 4;
  /** Bytes, beside those that a length says. */
  readonly bytes?: number;
  /** Items for each that the number says: what it says are no bytes then. */
  readonly itemsEach?: 1 | 2;
  readonly isExtension?: boolean;
}

const NONE = null;
const BYTES = [1, 2, 4, 8] as const;
const LENGTHS = [1, 2, 4] as const;
/** By the first byte, from 0xc0 to 0xdf. */
const SHAPES: readonly (Shape | null)[] = [
  // nil, one that is never used, false and true
  ...[{}, NONE, {}, {}],
  // Binary data, and extensions.
  ...LENGTHS.map((lengthBytes) => ({ lengthBytes })),
  ...LENGTHS.map((lengthBytes) => ({ lengthBytes, bytes: 1, isExtension: true })),
  // Floats, and whole numbers without and with a sign.
  ...[{ bytes: 4 }, { bytes: 8 }],
  ...[...BYTES, ...BYTES].map((bytes) => ({ bytes })),
  // Extensions of a fixed length.
  ...[...BYTES, 16].map((bytes) => ({ bytes: bytes + 1, isExtension: true })),
  // Text, lists and maps.
  ...LENGTHS.map((lengthBytes) => ({ lengthBytes })),
  ...([2, 4] as const).map((lengthBytes) => ({ lengthBytes, itemsEach: 1 as const })),
  ...([2, 4] as const).map((lengthBytes) => ({ lengthBytes, itemsEach: 2 as const })),
];

export function isPlainMessage(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let items = 0;
  // Of each there is a byte at least: none is given a place in memory that is counted and not there.
  for (let due = 1; due > 0;) {
    if (due > bytes.length - at || ++items > MAX_ITEMS) return false;
    const token = bytes[at++]!;
    due--;
    if (token < 0x80 || token >= 0xe0) continue;
    if (token < 0x90) due += 2 * (token & 0x0f);
    else if (token < 0xa0) due += token & 0x0f;
    else if (token < 0xc0) at += token & 0x1f;
    else {
      const shape = SHAPES[token - 0xc0];
      if (!shape || at + (shape.lengthBytes ?? 0) > bytes.length) return false;
      const said = lengthAt(view, at, shape);
      at += shape.lengthBytes ?? 0;
      if (shape.isExtension && !EXTENSIONS.has(bytes[at] ?? -1)) return false;
      at += (shape.bytes ?? 0) + (shape.itemsEach ? 0 : said);
      due += said * (shape.itemsEach ?? 0);
    }
  }
  return at === bytes.length;
}

function lengthAt(view: DataView, at: number, { lengthBytes }: Shape): number {
  if (lengthBytes === 1) return view.getUint8(at);
  if (lengthBytes === 2) return view.getUint16(at);
  return lengthBytes === 4 ? view.getUint32(at) : 0;
}
