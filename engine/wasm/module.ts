// Encodes the few WebAssembly functions that are written out by hand here: one function over one imported memory, in
// the binary format of the WebAssembly core specification, section 5. For loops that JavaScript cannot do as fast.

/** Value types. */
export const I32 = 0x7f;
export const I64 = 0x7e;

/** The instructions in use, by their opcodes. Memory ones take an alignment (a power of two) and an offset. */
export const OP = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  select: 0x1b,
  i64Load: 0x29,
  i32Load8Unsigned: 0x2d,
  i64Load8Unsigned: 0x31,
  i64Store: 0x37,
  i32Store8: 0x3a,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Equal: 0x46,
  i32GreaterOrEqualUnsigned: 0x4f,
  i32Add: 0x6a,
  i32And: 0x71,
  i64Xor: 0x85,
  i64ShiftLeft: 0x86,
  /** Two bytes, then the two memories. */
  memoryCopy: [0xfc, 0x0a, 0, 0],
  /** The type of a block that leaves nothing on the stack. */
  emptyBlock: 0x40,
} as const;

export interface WasmFunction {
  /** All of the same type. */
  readonly params: number;
  readonly paramType: number;
  /** Groups of locals behind the parameters. */
  readonly locals: readonly (readonly [count: number, type: number])[];
  /** Instructions, without the last `end`. */
  readonly body: readonly number[];
}

/** WebAssembly counts memory in pages of this size. */
export const WASM_PAGE_BYTES = 64 * 1024;
/** The most pages a 32-bit memory can have; the import must allow for any memory it is given. */
const MAX_PAGES = 65_536;
const SHARED_WITH_MAXIMUM = 0x03;
const WITHOUT_MAXIMUM = 0x00;

/** Instantiates the function over the memory. */
export function instantiate(memory: WebAssembly.Memory, definition: WasmFunction): (...args: number[]) => void {
  const module = new WebAssembly.Module(encodeModule(definition, memory.buffer instanceof SharedArrayBuffer));
  // Exported below under this name.
  return new WebAssembly.Instance(module, { env: { memory } }).exports['run']!;
}

function encodeModule({ params, paramType, locals, body }: WasmFunction, isShared: boolean): Uint8Array {
  const limits = isShared ? [SHARED_WITH_MAXIMUM, ...unsigned(1), ...unsigned(MAX_PAGES)] : [WITHOUT_MAXIMUM, 1];
  const type = [1, 0x60, params, ...Array<number>(params).fill(paramType), 0];
  const imports = [1, ...name('env'), ...name('memory'), 0x02, ...limits];
  const exports = [1, ...name('run'), 0x00, 0];
  const code = [locals.length, ...locals.flat(), ...body, OP.end];
  const sections: readonly (readonly [id: number, content: readonly number[]])[] = [
    [1, type],
    [2, imports],
    [3, [1, 0]],
    [7, exports],
    [10, [1, ...unsigned(code.length), ...code]],
  ];
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  return Uint8Array.from([
    ...header,
    ...sections.flatMap(([id, content]) => [id, ...unsigned(content.length), ...content]),
  ]);
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text, 'latin1')];
}

/** LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** LEB128 of a value that is not negative: its last byte must not look like a sign. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x40) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
