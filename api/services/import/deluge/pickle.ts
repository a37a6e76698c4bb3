// Python's pickle, as far as Deluge writes it: plain data and objects of two named classes, which become maps of their fields.
// Nothing is ever called: an opcode or a class that is not listed here ends the reading, so that a file made to run something
// is refused. Bounded by the size of the file: each value takes a byte of it at least.
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { unreadable } from '../state-directory.js';

export type PickleValue =
  null | boolean | number | string | Uint8Array | PickleValue[] | Map<string, PickleValue> | PickleClass;

/** A class by its name; it is made nothing of but an empty map. */
export class PickleClass {
  constructor(readonly name: string) {}
}

const MARK = Symbol('mark');
type Item = PickleValue | typeof MARK;

const MAX_PROTOCOL = 4;
/** Far more opcodes than 200,000 torrents take. */
const MAX_VALUES = 20_000_000;

/** @throws AppError `IMPORT_UNREADABLE` names the file */
export function readPickle(bytes: Buffer, file: string, classes: ReadonlySet<string>): PickleValue {
  return new Reader(bytes, file, classes).run();
}

class Reader {
  #at = 0;
  #values = 0;
  readonly #stack: Item[] = [];
  readonly #memo = new Map<number, PickleValue>();

  constructor(
    private readonly bytes: Buffer,
    private readonly file: string,
    private readonly classes: ReadonlySet<string>,
  ) {}

  run(): PickleValue {
    for (;;) {
      if (++this.#values > MAX_VALUES) throw this.#bad('has too many values');
      const opcode = this.#take(1)[0]!;
      if (opcode === 0x2e) {
        const value = this.#pop();
        if (this.#stack.length > 0) throw this.#bad('ends amid a value');
        return value;
      }
      this.#step(opcode);
    }
  }

  #step(opcode: number): void {
    switch (opcode) {
      case 0x80: // PROTO
        if (this.#take(1)[0]! > MAX_PROTOCOL) throw this.#bad('is of a newer protocol');
        return;
      case 0x95: // FRAME
        this.#take(8);
        return;
      case 0x28: // MARK
        this.#stack.push(MARK);
        return;
      case 0x30: // POP
        this.#stack.pop();
        return;
      case 0x4e: // NONE
        return this.#push(null);
      case 0x88: // NEWTRUE
        return this.#push(true);
      case 0x89: // NEWFALSE
        return this.#push(false);
      case 0x4b: // BININT1
        return this.#push(this.#take(1)[0]!);
      case 0x4d: // BININT2
        return this.#push(this.#take(2).readUInt16LE());
      case 0x4a: // BININT
        return this.#push(this.#take(4).readInt32LE());
      case 0x8a: // LONG1
        return this.#push(longOf(this.#take(this.#take(1)[0]!)));
      case 0x47: // BINFLOAT
        return this.#push(this.#take(8).readDoubleBE());
      case 0x58: // BINUNICODE
        return this.#push(this.#take(this.#take(4).readUInt32LE()).toString('utf8'));
      case 0x8c: // SHORT_BINUNICODE
        return this.#push(this.#take(this.#take(1)[0]!).toString('utf8'));
      case 0x55: // SHORT_BINSTRING, of Python 2
        return this.#push(this.#take(this.#take(1)[0]!).toString('utf8'));
      case 0x54: // BINSTRING, of Python 2
        return this.#push(this.#take(this.#take(4).readUInt32LE()).toString('utf8'));
      case 0x42: // BINBYTES
        return this.#push(Uint8Array.from(this.#take(this.#take(4).readUInt32LE())));
      case 0x43: // SHORT_BINBYTES
        return this.#push(Uint8Array.from(this.#take(this.#take(1)[0]!)));
      case 0x7d: // EMPTY_DICT
        return this.#push(new Map());
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        return this.#push([]);
      case 0x85: // TUPLE1
      case 0x86: // TUPLE2
      case 0x87: // TUPLE3
        return this.#push(this.#popMany(opcode - 0x84));
      case 0x74: // TUPLE
        return this.#push(this.#popToMark());
      case 0x61: // APPEND
        return this.#append([this.#pop()]);
      case 0x65: // APPENDS
        return this.#append(this.#popToMark());
      case 0x73: // SETITEM
        return this.#setItems(this.#popMany(2));
      case 0x75: // SETITEMS
        return this.#setItems(this.#popToMark());
      case 0x71: // BINPUT
        return this.#put(this.#take(1)[0]!);
      case 0x72: // LONG_BINPUT
        return this.#put(this.#take(4).readUInt32LE());
      case 0x94: // MEMOIZE
        return this.#put(this.#memo.size);
      case 0x68: // BINGET
        return this.#get(this.#take(1)[0]!);
      case 0x6a: // LONG_BINGET
        return this.#get(this.#take(4).readUInt32LE());
      case 0x63: // GLOBAL
        return this.#class(`${this.#line()} ${this.#line()}`);
      case 0x93: // STACK_GLOBAL
        return this.#class(this.#popMany(2).join(' '));
      case 0x81: // NEWOBJ
        return this.#instance();
      case 0x62: // BUILD
        return this.#build();
      default:
        throw this.#bad(`has an opcode that Deluge never writes (0x${opcode.toString(16)})`);
    }
  }

  #take(count: number): Buffer {
    if (this.#at + count > this.bytes.length) throw this.#bad('ends amid a value');
    this.#at += count;
    return this.bytes.subarray(this.#at - count, this.#at);
  }

  #line(): string {
    const end = this.bytes.indexOf(0x0a, this.#at);
    if (end < 0) throw this.#bad('ends amid a value');
    const line = this.#take(end - this.#at).toString('latin1');
    this.#at++;
    return line;
  }

  #push(value: PickleValue): void {
    this.#stack.push(value);
  }

  #pop(): PickleValue {
    const value = this.#stack.pop();
    if (value === undefined || value === MARK) throw this.#bad('has an operation without a value');
    return value;
  }

  #popMany(count: number): PickleValue[] {
    return Array.from({ length: count }, () => this.#pop()).reverse();
  }

  #popToMark(): PickleValue[] {
    const mark = this.#stack.lastIndexOf(MARK);
    if (mark < 0) throw this.#bad('has an operation without a value');
    const values = this.#stack.splice(mark).slice(1);
    return values as PickleValue[];
  }

  #append(values: readonly PickleValue[]): void {
    const list = this.#stack.at(-1);
    if (!Array.isArray(list)) throw this.#bad('appends to what is no list');
    for (const value of values) list.push(value);
  }

  #setItems(values: readonly PickleValue[]): void {
    const target = this.#stack.at(-1);
    if (!(target instanceof Map) || values.length % 2 !== 0) throw this.#bad('sets a field of what has none');
    for (let at = 0; at < values.length; at += 2) target.set(String(values[at]), values[at + 1]!);
  }

  #put(key: number): void {
    const value = this.#stack.at(-1);
    if (value === undefined || value === MARK) throw this.#bad('has an operation without a value');
    this.#memo.set(key, value);
  }

  #get(key: number): void {
    const value = this.#memo.get(key);
    if (value === undefined) throw this.#bad('names a value that is not there');
    this.#push(value);
  }

  #class(name: string): void {
    if (!this.classes.has(name))
      throw this.#bad(`names ${JSON.stringify(name.slice(0, 100))}, which no state of Deluge does`);
    this.#push(new PickleClass(name));
  }

  #instance(): void {
    const [maker] = this.#popMany(2);
    if (!(maker instanceof PickleClass)) throw this.#bad('makes an object of what is no class');
    this.#push(new Map());
  }

  #build(): void {
    const state = this.#pop();
    const target = this.#stack.at(-1);
    if (!(state instanceof Map) || !(target instanceof Map)) throw this.#bad('sets fields of what has none');
    for (const [key, value] of state) target.set(key, value);
  }

  #bad(what: string) {
    return unreadable(remark('NO_PICKLE', { file: this.file, detail: what, at: this.#at }));
  }
}

/** Little-endian, two's complement; beyond what a number holds exactly it is rounded. */
function longOf(bytes: Buffer): number {
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at]!);
  return Number(BigInt.asIntN(Math.max(8, bytes.length * 8), value));
}
