// RC4 as MSE uses it: a stream cipher in place, its first kilobyte thrown away. Long runs go through the WebAssembly
// kernel: where the bytes lie in its memory they stay there, else they pass through a work area.
import { createRc4Kernel, J_AT, KERNEL_STEP_BYTES, NEXT_INDEX_AT, STATE_BYTES, type Rc4Kernel } from './rc4-kernel.js';

/** MSE: the weak beginning of the key stream. */
const DISCARDED_BYTES = 1024;
/** Below this moving the state in and out costs more than it saves. */
const KERNEL_FROM_BYTES = 192;
/** One WebAssembly page holds the state and this. */
const WORK_BYTES = 60 * 1024;
/** Bytes that an `Rc4Machine` needs of a memory that it shares. */
export const MACHINE_STATE_BYTES = STATE_BYTES;

/** The kernel over one memory, with a place in it for the state of the cipher at work. */
export class Rc4Machine {
  readonly buffer: ArrayBufferLike;
  readonly #kernel: Rc4Kernel;
  readonly #state: Uint8Array;

  /** `stateAt`: {@link MACHINE_STATE_BYTES} bytes from there are the machine's own. */
  constructor(
    memory: WebAssembly.Memory,
    private readonly stateAt: number,
  ) {
    this.buffer = memory.buffer;
    this.#kernel = createRc4Kernel(memory);
    this.#state = new Uint8Array(memory.buffer, stateAt, STATE_BYTES);
  }

  /** `length` is a multiple of eight, and so is the state's next index. */
  run(state: Uint8Array, at: number, length: number): void {
    this.#state.set(state);
    this.#kernel(this.stateAt, at, at + length);
    state.set(this.#state);
  }
}

/** The machines of one thread. */
export class Rc4Machines {
  readonly #own: Rc4Machine;
  readonly #work: Uint8Array;

  /** `shared`: over the memory that sockets read into, so that what arrives is deciphered where it lies. */
  constructor(private readonly shared?: Rc4Machine) {
    const memory = new WebAssembly.Memory<ArrayBuffer>({ initial: 1 });
    this.#own = new Rc4Machine(memory, 0);
    this.#work = new Uint8Array(memory.buffer, 4096, WORK_BYTES);
  }

  /** Any bytes, a multiple of eight of them. */
  run(state: Uint8Array, bytes: Uint8Array): void {
    if (bytes.buffer === this.shared?.buffer) return this.shared.run(state, bytes.byteOffset, bytes.length);
    for (let at = 0; at < bytes.length; at += WORK_BYTES) {
      const part = bytes.subarray(at, at + WORK_BYTES);
      this.#work.set(part);
      this.#own.run(state, this.#work.byteOffset, part.length);
      part.set(part.length === WORK_BYTES ? this.#work : this.#work.subarray(0, part.length));
    }
  }
}

/** One direction of one connection. */
export class Rc4 {
  readonly #state: Uint8Array;

  constructor(
    private readonly machines: Rc4Machines,
    key: Uint8Array,
  ) {
    this.#state = schedule(key);
    this.apply(new Uint8Array(DISCARDED_BYTES));
  }

  /** Enciphers or deciphers in place. */
  apply(bytes: Uint8Array): void {
    if (bytes.length < KERNEL_FROM_BYTES) return this.#slowly(bytes);
    const misaligned = this.#state[NEXT_INDEX_AT]! % KERNEL_STEP_BYTES;
    const from = misaligned === 0 ? 0 : KERNEL_STEP_BYTES - misaligned;
    const to = bytes.length - ((bytes.length - from) % KERNEL_STEP_BYTES);
    this.#slowly(bytes.subarray(0, from));
    this.machines.run(this.#state, bytes.subarray(from, to));
    this.#slowly(bytes.subarray(to));
  }

  #slowly(bytes: Uint8Array): void {
    const state = this.#state;
    let next = state[NEXT_INDEX_AT]!;
    let j = state[J_AT]!;
    for (let at = 0; at < bytes.length; at++) {
      const a = state[next]!;
      j = (j + a) & 255;
      const b = state[j]!;
      state[j] = a;
      state[next] = b;
      bytes[at]! ^= state[(a + b) & 255]!;
      next = (next + 1) & 255;
    }
    state[NEXT_INDEX_AT] = next;
    state[J_AT] = j;
  }
}

/** The key schedule; the first index in use is 1. */
function schedule(key: Uint8Array): Uint8Array {
  const state = new Uint8Array(STATE_BYTES);
  for (let i = 0; i < 256; i++) state[i] = i;
  for (let i = 0, j = 0; i < 256; i++) {
    const value = state[i]!;
    j = (j + value + key[i % key.length]!) & 255;
    state[i] = state[j]!;
    state[j] = value;
  }
  state[NEXT_INDEX_AT] = 1;
  return state;
}
