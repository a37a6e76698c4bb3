// Takes the torrent files out of a request while it comes: every text that is called `metainfo` is decoded into a file of
// its own, and its place among them is left where it stood. What remains is short enough to be parsed, and not too deep.
import { CollectedBytes } from '../../../shared-protocol/collected-bytes.js';
import { RequestError } from '../../errors.js';
import { MAX_TORRENT_FILE_BYTES } from '../../services/library/torrent-source.js';
import type { SpooledFile } from '../deps.js';
import { Base64Stream } from './base64-stream.js';

/** Without the torrent files: as much as the service's own JSON. */
export const MAX_REST_BYTES = 1024 * 1024;
/** Requests of Transmission's tools are four deep. */
const MAX_DEPTH = 32;
/** Torrent files of one request; tools send one. */
const MAX_FILES = 64;
const FILE_KEY = 'metainfo';

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

export class MetainfoCutter {
  readonly #files: SpooledFile[] = [];
  readonly #rest = new CollectedBytes();
  #depth = 0;
  #place: 'between' | 'text' | 'file' = 'between';
  #isEscaped = false;
  /** The text that is read, or was read last; a little more than the longest that matters. */
  #text = '';
  /** The text before the colon that was read last, if nothing has come after it. */
  #key = '';
  #base64 = new Base64Stream();

  constructor(private readonly newFile: () => SpooledFile) {}

  /** One at a time. @throws RequestError `BODY_TOO_LARGE`, `UPLOAD_TOO_LARGE`, `BODY_INVALID`; AppError `STORAGE_FAILED` */
  async push(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      const from = at;
      if (this.#place === 'file') at = await this.#takeFile(chunk, from);
      else {
        at = this.#takeRest(chunk, from);
        this.#keep(chunk.subarray(from, at));
      }
    }
  }

  /** The JSON without them. Once. */
  rest(): string {
    return Buffer.from(this.#rest.take().buffer).toString('utf8');
  }

  /** The files, each in memory of its own. @throws AppError `STORAGE_FAILED` */
  files(): Promise<Uint8Array[]> {
    return Promise.all(this.#files.map((file) => file.whole()));
  }

  async discard(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.discard()));
  }

  /** Reads up to the end of the chunk, or the beginning of a file. */
  #takeRest(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && this.#place !== 'file') {
      const byte = chunk[at++]!;
      if (this.#place === 'text') this.#readInText(byte);
      else this.#readBetween(byte);
    }
    return at;
  }

  #readInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) return void (this.#place = 'between');
    if (this.#text.length <= FILE_KEY.length) this.#text += String.fromCharCode(byte);
  }

  #readBetween(byte: number): void {
    if (BLANKS.has(byte)) return;
    const key = this.#key;
    this.#key = byte === COLON ? this.#text : '';
    if (byte === QUOTE) {
      if (key === FILE_KEY) this.#beginFile();
      else [this.#place, this.#text] = ['text', ''];
      return;
    }
    this.#text = '';
    if (CLOSING.has(byte)) this.#depth--;
    if (OPENING.has(byte) && ++this.#depth > MAX_DEPTH) {
      throw new RequestError('BODY_INVALID', `body: deeper than ${MAX_DEPTH} levels`);
    }
  }

  #beginFile(): void {
    if (this.#files.length === MAX_FILES) throw new RequestError('BODY_INVALID', `metainfo: more than ${MAX_FILES}`);
    this.#place = 'file';
    this.#base64 = new Base64Stream();
    this.#files.push(this.newFile());
  }

  /** Up to the quote that ends it, which is no digit of Base64, escaped or not. */
  async #takeFile(chunk: Buffer, from: number): Promise<number> {
    const end = chunk.indexOf(QUOTE, from);
    const until = end < 0 ? chunk.length : end;
    await this.#append(this.#base64.push(chunk.subarray(from, until)));
    if (end < 0) return until;
    await this.#append(this.#base64.end());
    // The quotes stay in what remains: the first was read with it, this one is.
    this.#keep(Buffer.from(`${this.#files.length - 1}"`));
    [this.#place, this.#text] = ['between', ''];
    return end + 1;
  }

  async #append(bytes: Buffer): Promise<void> {
    const file = this.#files.at(-1)!;
    if (file.length + bytes.length > MAX_TORRENT_FILE_BYTES) throw new RequestError('UPLOAD_TOO_LARGE');
    if (bytes.length > 0) await file.append(bytes);
  }

  #keep(bytes: Buffer): void {
    if (this.#rest.length + bytes.length > MAX_REST_BYTES) throw new RequestError('BODY_TOO_LARGE');
    this.#rest.add(bytes);
  }
}
