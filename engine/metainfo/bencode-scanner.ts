// Reads bencode (BEP 3) token by token with an explicit stack, so that no nesting can exhaust the call stack. Owns the
// grammar and its limits: depth, number of tokens, and declared lengths that are compared with what remains before
// anything is allocated. Lenient where old clients were: unsorted keys, leading zeros and `-0` pass.
// It does not judge duplicate keys; `scanBencode` does.
import { AppError } from '../../shared-protocol/errors.js';

export interface BencodeLimits {
  /** Lists and dictionaries open at once. */
  readonly maxDepth: number;
  /** Values and keys, over the whole input. */
  readonly maxTokens: number;
}

export type BencodeToken = 'integer' | 'string' | 'key' | 'list' | 'dictionary' | 'end';
/** Integers that a double cannot hold exactly are bigints. */
export type BencodeScalar = number | bigint | Uint8Array;

type Expecting = 'item' | 'key' | 'value';

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
  /** What each open container waits for; the first entry stands for the root. */
  readonly #expecting: Expecting[] = ['item'];

  constructor(
    bytes: Uint8Array,
    private readonly limits: BencodeLimits,
  ) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** First byte not read yet. */
  get offset(): number {
    return this.#offset;
  }

  /** Containers open. */
  get depth(): number {
    return this.#expecting.length - 1;
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
    const top = this.#expecting.length - 1;
    const expecting = this.#expecting[top];
    if (byte === E) {
      if (top === 0 || expecting === 'value') throw this.#malformed('unexpected "e"');
      this.#expecting.pop();
      this.#offset++;
      return (this.#token = 'end');
    }
    if (++this.#tokens > this.limits.maxTokens) throw this.#malformed(`more than ${this.limits.maxTokens} tokens`);
    if (expecting === 'key') {
      this.#expecting[top] = 'value';
      this.#readString(byte, 'a dictionary key');
      return (this.#token = 'key');
    }
    if (expecting === 'value') this.#expecting[top] = 'key';
    if (byte === D || byte === L) {
      if (top === this.limits.maxDepth) throw this.#malformed(`nested deeper than ${this.limits.maxDepth}`);
      this.#expecting.push(byte === D ? 'key' : 'item');
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

  /** Reads a key: one character for each byte, so that no two keys look alike. */
  key(): string {
    this.next();
    return this.contentLatin1();
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

  /** The current string as UTF-8, U+FFFD where it is not. */
  contentUtf8(): string {
    return this.bytes.toString('utf8', this.#start, this.#end);
  }

  contentLatin1(): string {
    return this.bytes.toString('latin1', this.#start, this.#end);
  }

  /** The current integer. */
  integer(): number | bigint {
    const text = this.contentLatin1();
    if (text.length <= EXACT_DIGITS) return Number(text) + 0;
    const exact = BigInt(text.startsWith('-') ? text.slice(1) : text) * (text.startsWith('-') ? -1n : 1n);
    const rounded = Number(exact);
    return Number.isSafeInteger(rounded) ? rounded : exact;
  }

  #skipOpened(): void {
    if (this.#token !== 'list' && this.#token !== 'dictionary') return;
    const outside = this.#expecting.length - 1;
    while (this.#expecting.length > outside) this.next();
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
    return new AppError('TORRENT_INVALID', `bencode: ${problem} at byte ${this.#offset}`, { offset: this.#offset });
  }
}
