// A bound for the memory of WebAssembly in a thread: that of `resourceLimits` is for JavaScript alone.
const PAGE_BYTES = 64 * 1024;

/** From here on no memory of this thread grows beyond it: what asks for more is refused, as where the machine has none left. */
export function boundMemory(maxBytes: number): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES > maxBytes) throw new RangeError('no more memory than that');
    return grow.call(this, pages);
  };
}
