// The records of a zip archive (PKWARE APPNOTE 6.3) as they are written here: files stored as they are, checksums behind
// them in data descriptors, Zip64 where a size or an offset needs it. How long each record is depends on names, sizes and
// offsets alone, so that where everything lies is known before any file is read. Pure.

/** From here on 32 bits are too few, and this value itself says so. */
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;

const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
const ZIP64_END_BYTES = 56;
const ZIP64_LOCATOR_BYTES = 20;
/** Kind and length of an extra field. */
const EXTRA_HEADER_BYTES = 4;

const VERSION_PLAIN = 20;
const VERSION_ZIP64 = 45;
/** So that the rights below are understood. */
const MADE_BY_UNIX = 3 << 8;
/** A regular file, `rw-r--r--`. */
const EXTERNAL_ATTRIBUTES = (0o100644 << 16) >>> 0;
/** The checksum and the sizes follow the data (bit 3), and the name is UTF-8 (bit 11). */
const FLAGS = 0x0808;
/** 1980-01-01, the first there is: the same torrent makes the same archive, whenever its files were written. */
const DATE = 0x0021;

export interface ZipEntry {
  /** With `/` between its elements. */
  readonly name: Buffer;
  readonly sizeBytes: number;
  /** Where its local header lies. */
  readonly offset: number;
}

function isLarge({ sizeBytes }: Pick<ZipEntry, 'sizeBytes'>): boolean {
  return sizeBytes >= MAX_32;
}

export function localHeaderBytes(entry: Pick<ZipEntry, 'name' | 'sizeBytes'>): number {
  return LOCAL_HEADER_BYTES + entry.name.length + (isLarge(entry) ? EXTRA_HEADER_BYTES + 16 : 0);
}

/** Sizes stand in the descriptor: zeroes here, or what says that there they take 64 bits. */
export function localHeader(entry: Pick<ZipEntry, 'name' | 'sizeBytes'>): Buffer {
  const large = isLarge(entry);
  const record = Buffer.alloc(localHeaderBytes(entry));
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(large ? VERSION_ZIP64 : VERSION_PLAIN, 4);
  record.writeUInt16LE(FLAGS, 6);
  record.writeUInt16LE(DATE, 12);
  record.writeUInt32LE(large ? MAX_32 : 0, 18);
  record.writeUInt32LE(large ? MAX_32 : 0, 22);
  record.writeUInt16LE(entry.name.length, 26);
  record.writeUInt16LE(large ? EXTRA_HEADER_BYTES + 16 : 0, 28);
  record.set(entry.name, LOCAL_HEADER_BYTES);
  if (large) writeExtraHeader(record, LOCAL_HEADER_BYTES + entry.name.length, 16);
  return record;
}

export function descriptorBytes(entry: Pick<ZipEntry, 'sizeBytes'>): number {
  return isLarge(entry) ? 24 : 16;
}

export function descriptor(entry: Pick<ZipEntry, 'sizeBytes'>, crc32: number): Buffer {
  const record = Buffer.alloc(descriptorBytes(entry));
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc32, 4);
  if (isLarge(entry)) {
    write64(record, entry.sizeBytes, 8);
    write64(record, entry.sizeBytes, 16);
  } else {
    record.writeUInt32LE(entry.sizeBytes, 8);
    record.writeUInt32LE(entry.sizeBytes, 12);
  }
  return record;
}

/** Values that do not fit the header, in the order in which it is looked for. */
function beyondHeader({ sizeBytes, offset }: ZipEntry): readonly number[] {
  return [...(sizeBytes >= MAX_32 ? [sizeBytes, sizeBytes] : []), ...(offset >= MAX_32 ? [offset] : [])];
}

export function centralHeaderBytes(entry: ZipEntry): number {
  const beyond = beyondHeader(entry).length;
  return CENTRAL_HEADER_BYTES + entry.name.length + (beyond > 0 ? EXTRA_HEADER_BYTES + 8 * beyond : 0);
}

export function centralHeader(entry: ZipEntry, crc32: number): Buffer {
  const beyond = beyondHeader(entry);
  const version = beyond.length > 0 ? VERSION_ZIP64 : VERSION_PLAIN;
  const record = Buffer.alloc(centralHeaderBytes(entry));
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_BY_UNIX | version, 4);
  record.writeUInt16LE(version, 6);
  record.writeUInt16LE(FLAGS, 8);
  record.writeUInt16LE(DATE, 14);
  record.writeUInt32LE(crc32, 16);
  record.writeUInt32LE(Math.min(entry.sizeBytes, MAX_32), 20);
  record.writeUInt32LE(Math.min(entry.sizeBytes, MAX_32), 24);
  record.writeUInt16LE(entry.name.length, 28);
  record.writeUInt16LE(record.length - CENTRAL_HEADER_BYTES - entry.name.length, 30);
  record.writeUInt32LE(EXTERNAL_ATTRIBUTES, 38);
  record.writeUInt32LE(Math.min(entry.offset, MAX_32), 42);
  record.set(entry.name, CENTRAL_HEADER_BYTES);
  if (beyond.length > 0) {
    const at = CENTRAL_HEADER_BYTES + entry.name.length;
    writeExtraHeader(record, at, 8 * beyond.length);
    for (const [nth, value] of beyond.entries()) write64(record, value, at + EXTRA_HEADER_BYTES + 8 * nth);
  }
  return record;
}

/** Where the list of the entries lies. */
export interface CentralDirectory {
  readonly count: number;
  readonly offset: number;
  readonly sizeBytes: number;
}

export function endRecords({ count, offset, sizeBytes }: CentralDirectory): Buffer {
  const needsZip64 = count >= MAX_16 || offset >= MAX_32 || sizeBytes >= MAX_32;
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(sizeBytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  if (!needsZip64) return end;
  const zip64 = Buffer.alloc(ZIP64_END_BYTES + ZIP64_LOCATOR_BYTES);
  zip64.writeUInt32LE(0x06064b50, 0);
  write64(zip64, ZIP64_END_BYTES - 12, 4);
  zip64.writeUInt16LE(MADE_BY_UNIX | VERSION_ZIP64, 12);
  zip64.writeUInt16LE(VERSION_ZIP64, 14);
  write64(zip64, count, 24);
  write64(zip64, count, 32);
  write64(zip64, sizeBytes, 40);
  write64(zip64, offset, 48);
  zip64.writeUInt32LE(0x07064b50, ZIP64_END_BYTES);
  write64(zip64, offset + sizeBytes, ZIP64_END_BYTES + 8);
  zip64.writeUInt32LE(1, ZIP64_END_BYTES + 16);
  return Buffer.concat([zip64, end]);
}

function writeExtraHeader(record: Buffer, at: number, length: number): void {
  record.writeUInt16LE(0x0001, at);
  record.writeUInt16LE(length, at + 2);
}

function write64(record: Buffer, value: number, at: number): void {
  record.writeBigUInt64LE(BigInt(value), at);
}
