// What PHP's `serialize` has written, as ruTorrent keeps its settings, read as data: nothing is made of the classes that it names, and
// references are as if they were not there. Bounded in depth and in values; pure.
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { unreadable } from '../state-directory.js';

/** Arrays and objects alike are their members, in order, by name. */
export type PhpValue = null | boolean | number | string | PhpMembers;
export type PhpMembers = ReadonlyMap<string, PhpValue>;

/** Far more than any list of feeds has. No spec values. */
const MAX_DEPTH = 32;
const MAX_VALUES = 1_000_000;

/** @throws AppError `IMPORT_UNREADABLE` names the file */
export function readPhp(bytes: Buffer, file: string): PhpValue {
  return new PhpReader(bytes, file).value(0);
}

export function membersOfPhp(value: PhpValue | undefined): PhpMembers {
  return value instanceof Map ? value : new Map<string, PhpValue>();
}

/** Forms have left numbers as text. */
export function numberOfPhp(value: PhpValue | undefined): number {
  const isNumber = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
  return isNumber && value !== '' ? Number(value) : Number.NaN;
}

export function textOfPhp(value: PhpValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

class PhpReader {
  #at = 0;
  #values = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly file: string,
  ) {}

  value(depth: number): PhpValue {
    if (depth > MAX_DEPTH || ++this.#values > MAX_VALUES) throw this.#broken();
    const kind = String.fromCharCode(this.bytes[this.#at++] ?? 0);
    if (kind === 'N') {
      this.#take(';');
      return null;
    }
    this.#take(':');
    switch (kind) {
      case 'b':
        return this.#until(';') === '1';
      case 'i':
      case 'd':
        return Number(this.#until(';'));
      case 's': {
        const text = this.#quoted();
        this.#take(';');
        return text;
      }
      case 'a':
        return this.#members(depth);
      case 'O':
        this.#quoted();
        this.#take(':');
        return this.#members(depth);
      case 'r':
      case 'R':
        this.#until(';');
        return null;
      default:
        throw this.#broken();
    }
  }

  #members(depth: number): PhpMembers {
    const count = Number(this.#until(':'));
    this.#take('{');
    const members = new Map<string, PhpValue>();
    for (let index = 0; index < count; index++) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') throw this.#broken();
      // Those that are not public have the class, or a star, before them.
      const name = String(key).replace(/^\0[^\0]*\0/, '');
      members.set(name, this.value(depth + 1));
    }
    this.#take('}');
    return members;
  }

  #quoted(): string {
    const length = Number(this.#until(':'));
    this.#take('"');
    const end = this.#at + length;
    if (!Number.isSafeInteger(length) || length < 0 || end > this.bytes.length) throw this.#broken();
    const text = this.bytes.toString('utf8', this.#at, end);
    this.#at = end;
    this.#take('"');
    return text;
  }

  /** A number in digits, up to this character. */
  #until(character: string): string {
    const end = this.bytes.indexOf(character, this.#at, 'latin1');
    const text = end < 0 ? '' : this.bytes.toString('latin1', this.#at, Math.min(end, this.#at + 64));
    if (!/^-?(?:\d+(?:\.\d*)?(?:E[+-]?\d+)?|INF|NAN)$/i.test(text)) throw this.#broken();
    this.#at = end + 1;
    return text;
  }

  #take(character: string): void {
    if (this.bytes[this.#at++] !== character.charCodeAt(0)) throw this.#broken();
  }

  #broken() {
    return unreadable(remark('NO_PHP', { file: this.file, at: this.#at }));
  }
}
