// Reads bencode (BEP 3) token by token with an explicit stack, so that no nesting can exhaust the call stack. Owns the
// grammar and its limits: depth, number of tokens, and declared lengths that are compared with what remains before
// anything is allocated. Lenient where old clients were: unsorted keys, leading zeros and `-0` pass.
// It does not judge duplicate keys; `scanBencode` does.
import { AppError } from './errors.js';
import { because } from './reasons.js';

export interface BencodeLimits {
  /** Lists and dictionaries open at once. */
  readonly maxDepth: number;
  /** Values and keys, over the whole input. */
  readonly maxTokens: number;
}

export type BencodeToken = 'integer' | 'string' | 'key' | 'list' | 'dictionary' | 'end';
/** Integers that a double cannot hold exactly are bigints. */
export type BencodeScalar = number | bigint | Uint8Array;

/** States of an open container: waiting for an item, a key or a value. */
const ITEM = 0;
const KEY = 1;
const VALUE = 2;

/** Far beyond any 64-bit integer; turning longer runs of digits into numbers would take quadratic time. */
const MAX_INTEGER_CHARS = 1_024;
/** Up to so many digits a double counts exactly. */
const EXACT_DIGITS = 15;

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const MINUS = 0x2d;
const D = 0x64;
const E = 0x65;
const I = 0x69;
const L = 0x6c;

/** A cursor over one bencoded value. Every method throws AppError `TORRENT_INVALID` on malformed input. */
export class BencodeScanner {
  readonly bytes: Buffer;
  #offset = 0;
  #tokens = 0;
  #token: BencodeToken = 'end';
  /** Content of the current string, key or integer. */
  #start = 0;
  #end = 0;
  /** State of each open container; the first entry stands for the root. */
  readonly #expecting: Uint8Array;
  #depth = 0;

  constructor(
    bytes: Uint8Array,
    private readonly limits: BencodeLimits,
  ) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#expecting = new Uint8Array(limits.maxDepth + 1);
  }

  /** First byte not read yet. */
  get offset(): number {
    return this.#offset;
  }

  /** Values and keys read so far. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Containers open. */
  get depth(): number {
    return this.#depth;
  }

  /** Start and end of the content of the current key or string. */
  get contentStart(): number {
    return this.#start;
  }
  get contentEnd(): number {
    return this.#end;
  }

  /** Reads one token. */
  next(): BencodeToken {
    const byte = this.bytes[this.#offset];
    if (byte === undefined) throw this.#malformed('unexpected end');
    const depth = this.#depth;
    const expecting = this.#expecting[depth];
    if (byte === E) {
      if (depth === 0 || expecting === VALUE) throw this.#malformed('unexpected "e"');
      this.#depth = depth - 1;
      this.#offset++;
      return (this.#token = 'end');
    }
    if (++this.#tokens > this.limits.maxTokens) throw this.#malformed(`more than ${this.limits.maxTokens} tokens`);
    if (expecting === KEY) {
      this.#expecting[depth] = VALUE;
      this.#readString(byte, 'a dictionary key');
      return (this.#token = 'key');
    }
    if (expecting === VALUE) this.#expecting[depth] = KEY;
    if (byte === D || byte === L) {
      if (depth === this.limits.maxDepth) throw this.#malformed(`nested deeper than ${this.limits.maxDepth}`);
      this.#expecting[depth + 1] = byte === D ? KEY : ITEM;
      this.#depth = depth + 1;
      this.#offset++;
      return (this.#token = byte === D ? 'dictionary' : 'list');
    }
    if (byte === I) {
      this.#readInteger();
      return (this.#token = 'integer');
    }
    this.#readString(byte, 'a value');
    return (this.#token = 'string');
  }

  /** Within a container: whether another item or key follows; consumes the container's end when not. */
  hasNext(): boolean {
    if (this.bytes[this.#offset] !== E) return true;
    this.next();
    return false;
  }

  /** Whether the next value is a list; reads nothing. */
  atList(): boolean {
    return this.bytes[this.#offset] === L;
  }

  /** Reads a key: which of these it is, or null. No text is made of it: the same few come half a million times. */
  key<Name extends string>(names: readonly Name[]): Name | null {
    this.next();
    for (const name of names) if (this.#contentIs(name)) return name;
    return null;
  }

  /** Enters the next value if it is such a container; skips it and says false when it is not. */
  enter(container: 'list' | 'dictionary'): boolean {
    if (this.next() === container) return true;
    this.#skipOpened();
    return false;
  }

  /** The next value if it is a string or an integer; skips it and gives null when it is a container. */
  scalar(): BencodeScalar | null {
    const token = this.next();
    if (token === 'string') return this.content();
    if (token === 'integer') return this.integer();
    this.#skipOpened();
    return null;
  }

  /** Reads over the next value, however large. */
  skip(): void {
    this.next();
    this.#skipOpened();
  }

  /** The current string's bytes: a view of the input, not a copy. */
  content(): Uint8Array {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + this.#start, this.#end - this.#start);
  }

  contentLatin1(): string {
    return this.bytes.toString('latin1', this.#start, this.#end);
  }

  /** The current integer. */
  integer(): number | bigint {
    if (this.#end - this.#start <= EXACT_DIGITS) return this.#smallInteger();
    const text = this.contentLatin1();
    const exact = BigInt(text.startsWith('-') ? text.slice(1) : text) * (text.startsWith('-') ? -1n : 1n);
    const rounded = Number(exact);
    return Number.isSafeInteger(rounded) ? rounded : exact;
  }

  #smallInteger(): number {
    const isNegative = this.bytes[this.#start] === MINUS;
    let value = 0;
    for (let at = isNegative ? this.#start + 1 : this.#start; at < this.#end; at++) {
      value = value * 10 + (this.bytes[at]! - DIGIT_0);
    }
    return isNegative && value !== 0 ? -value : value;
  }

  #contentIs(text: string): boolean {
    if (text.length !== this.#end - this.#start) return false;
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== this.bytes[this.#start + i]) return false;
    return true;
  }

  #skipOpened(): void {
    if (this.#token !== 'list' && this.#token !== 'dictionary') return;
    const outside = this.#depth - 1;
    this.#skipPlain(outside);
    while (this.#depth > outside) this.next();
  }

  /**
   * Reads over what is well-formed until the depth is reached, several times as fast as token by token: nothing is
   * noted on the way. Stops before whatever `next` has something to say about.
   */
  #skipPlain(outside: number): void {
    const { bytes } = this;
    const { maxDepth, maxTokens } = this.limits;
    const expecting = this.#expecting;
    let depth = this.#depth;
    let tokens = this.#tokens;
    let offset = this.#offset;
    while (depth > outside) {
      const byte = bytes[offset]!;
      const state = expecting[depth];
      if (byte === E) {
        if (depth === 0 || state === VALUE) break;
        depth--;
        offset++;
        continue;
      }
      if (tokens >= maxTokens) break;
      let at = offset;
      if (byte >= DIGIT_0 && byte <= DIGIT_9) {
        let length = byte - DIGIT_0;
        let digit = bytes[++at]!;
        while (digit >= DIGIT_0 && digit <= DIGIT_9 && length <= bytes.length) {
          length = length * 10 + (digit - DIGIT_0);
          digit = bytes[++at]!;
        }
        if (digit !== COLON || length >= bytes.length - at) break;
        at += 1 + length;
      } else if (state === KEY) {
        break;
      } else if (byte === D || byte === L) {
        if (depth === maxDepth) break;
        at++;
      } else if (byte === I) {
        const from = ++at;
        while (bytes[at]! >= DIGIT_0 && bytes[at]! <= DIGIT_9) at++;
        if (at === from || at - from > EXACT_DIGITS || bytes[at] !== E) break;
        at++;
      } else {
        break;
      }
      if (state !== ITEM) expecting[depth] = state === KEY ? VALUE : KEY;
      if (byte === D || byte === L) expecting[++depth] = byte === D ? KEY : ITEM;
      tokens++;
      offset = at;
    }
    this.#depth = depth;
    this.#tokens = tokens;
    this.#offset = offset;
  }

  #readString(first: number, what: string): void {
    const { bytes } = this;
    let at = this.#offset;
    let length = 0;
    let byte: number | undefined = first;
    while (byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9) {
      length = length * 10 + (byte - DIGIT_0);
      if (length > bytes.length) throw this.#malformed(`string longer than the ${bytes.length - at} bytes left`);
      byte = bytes[++at];
    }
    if (at === this.#offset) throw this.#malformed(`expected ${what}, found byte 0x${first.toString(16)}`);
    if (byte !== COLON) throw this.#malformed('string length without ":"');
    at++;
    if (length > bytes.length - at) {
      throw this.#malformed(`string of ${length} bytes where ${bytes.length - at} are left`);
    }
    this.#start = at;
    this.#offset = this.#end = at + length;
  }

  #readInteger(): void {
    const { bytes } = this;
    this.#start = this.#offset + 1;
    const digits = bytes[this.#start] === MINUS ? this.#start + 1 : this.#start;
    let at = digits;
    let byte = bytes[at];
    while (byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9) byte = bytes[++at];
    if (at === digits || byte !== E) throw this.#malformed('integer without digits or end');
    if (at - this.#start > MAX_INTEGER_CHARS) throw this.#malformed(`integer of ${at - digits} digits`);
    this.#end = at;
    this.#offset = at + 1;
  }

  #malformed(problem: string): AppError {
    const [offset, detail] = [this.#offset, `bencode: ${problem} at byte ${this.#offset}`];
    return new AppError('TORRENT_INVALID', detail, because('TORRENT_INVALID', { offset, detail }));
  }
}
