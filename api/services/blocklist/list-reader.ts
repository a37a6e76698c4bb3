// A list of addresses as it comes, text or gzipped, to what is kept of it. The whole of a list never is in memory: lines
// are read as they pass. Runs in a thread of its own (list-worker.ts).
import { createGunzip } from 'node:zlib';
import type { AddressRanges } from '../../../shared-protocol/address-ranges.js';
import { capped, decompressed, peek, type Chunks } from '../../egress/body.js';
import { fetchFailed } from '../../egress/failure.js';
import { readLine } from './list-line.js';
import { RangeCollector } from './range-collector.js';

/** Bytes of the list as text: no spec value. The largest public lists have some 60 MiB; past this it is a bomb. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;
/** A longer line is none of a list, and is not kept to find out. */
const MAX_LINE_BYTES = 1_024;

const NEWLINE = 0x0a;

export interface ReadList {
  readonly ranges: AddressRanges;
  /** Line ends of the text (docs/semantics.md section 13). */
  readonly entries: number;
  /** Lines that say nothing that is understood. */
  readonly skipped: number;
}

/** @throws RequestError `FETCH_FAILED`; what zlib throws */
export async function readList(body: Chunks): Promise<ReadList> {
  const [head, chunks] = await peek(body);
  const archive = head && archiveKind(head);
  if (archive) throw fetchFailed(`the list is ${archive}: only text and gzip are understood`);
  const isGzip = head?.[0] === 0x1f && head[1] === 0x8b;
  const text = isGzip ? decompressed(chunks, createGunzip()) : chunks;
  const collector = new RangeCollector();
  let skipped = 0;
  let useful = 0;
  const lines = new Lines((line) => {
    const kind = line === null ? 'bad' : readLine(line, collector);
    if (kind === 'bad') skipped++;
    else if (kind !== 'nothing') useful++;
  });
  for await (const chunk of capped(text, MAX_LIST_BYTES)) lines.push(chunk);
  lines.end();
  if (skipped > 0 && useful === 0) throw fetchFailed('no line of it is understood');
  return { ranges: collector.finish(), entries: lines.ends, skipped };
}

/** Cuts text into lines; null stands for one that is too long. */
class Lines {
  /** How many line ends there were. */
  ends = 0;
  /** The beginning of a line whose end has not come yet. */
  #begun = '';
  #isTooLong = false;

  constructor(private readonly onLine: (line: string | null) => void) {}

  push(bytes: Uint8Array): void {
    // Names are in any encoding, and no code reads them: each byte is a character.
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.ends++;
      this.#add(chunk, from, end);
      this.#finishLine();
      from = end + 1;
    }
    this.#add(chunk, from, chunk.length);
  }

  end(): void {
    if (this.#begun !== '' || this.#isTooLong) this.#finishLine();
  }

  #add(chunk: Buffer, from: number, end: number): void {
    if (this.#isTooLong || from === end) return;
    this.#isTooLong = this.#begun.length + end - from > MAX_LINE_BYTES;
    if (this.#isTooLong) this.#begun = '';
    else this.#begun += chunk.toString('latin1', from, end);
  }

  #finishLine(): void {
    this.onLine(this.#isTooLong ? null : this.#begun);
    this.#begun = '';
    this.#isTooLong = false;
  }
}

/** Names what lists are packed in besides gzip, by how it begins. */
function archiveKind(head: Uint8Array): string | null {
  const begins = (...bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'a zip archive';
  if (begins(0x37, 0x7a, 0xbc, 0xaf)) return 'a 7-Zip archive';
  if (begins(0x42, 0x5a, 0x68)) return 'a bzip2 file';
  if (begins(0xfd, 0x37, 0x7a, 0x58)) return 'an xz file';
  if (begins(0xff, 0xff, 0xff, 0xff, 0x50, 0x32, 0x42)) return 'in the binary P2B format';
  return null;
}
