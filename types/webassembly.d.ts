// WebAssembly as far as Swarmd uses it; the types of Node 20 leave it to the DOM library.

declare namespace WebAssembly {
  /** A memory made with `shared` has a SharedArrayBuffer, any other an ArrayBuffer: the caller says which. */
  class Memory<Bytes extends ArrayBufferLike = ArrayBufferLike> {
    constructor(descriptor: { initial: number; maximum?: number; shared?: true });
    readonly buffer: Bytes;
    /** The pages that there were before. @throws RangeError where there is no room */
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>);
    readonly exports: Readonly<Record<string, (...args: number[]) => void>>;
  }
}
