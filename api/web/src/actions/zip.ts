// A zip archive (PKWARE APPNOTE 6.3) of files that are stored as they are. Pure but for what holds its bytes.
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Names are UTF-8 (bit 11). */
const FLAGS = 0x0800;
/** 1980-01-01, the first there is. */
const DATE = 0x0021;
const LOCAL_HEADER_BYTES = 30;

export interface ZippedFile {
  /** Unlike that of any other. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** For fewer than 65,535 files, of less than 4 GiB together. */
export function zipOf(files: readonly ZippedFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const encoded = new TextEncoder().encode(name);
    // From the version that is needed to the length of an extra field: the same in both headers.
    const common = [VERSION, FLAGS, 0, 0, DATE, { of32: crc32(bytes) }, { of32: bytes.length }, { of32: bytes.length }];
    const lengths = [encoded.length, 0];
    parts.push(record({ of32: LOCAL_HEADER }, ...common, ...lengths), encoded, bytes);
    const place = [0, 0, 0, { of32: 0 }, { of32: offset }];
    directory.push(record({ of32: CENTRAL_HEADER }, VERSION, ...common, ...lengths, ...place), encoded);
    offset += LOCAL_HEADER_BYTES + encoded.length + bytes.length;
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  const counts = [files.length, files.length, { of32: directoryBytes }, { of32: offset }];
  return new Blob([...parts, ...directory, record({ of32: END }, 0, 0, ...counts, 0)], { type: 'application/zip' });
}

type Field = number | { readonly of32: number };

/** Fields of 16 bits, and of 32. */
function record(...fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce<number>((sum, field) => sum + bytesOf(field), 0)));
  let at = 0;
  for (const field of fields) {
    if (typeof field === 'number') view.setUint16(at, field, true);
    else view.setUint32(at, field.of32, true);
    at += bytesOf(field);
  }
  return new Uint8Array(view.buffer);
}

function bytesOf(field: Field): number {
  return typeof field === 'number' ? 2 : 4;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
