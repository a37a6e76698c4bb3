// Waiting for other programs: ask again and again, with an end.

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Monotonic milliseconds on the clock that Python's `time.monotonic()` and other processes of ours read too. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export interface UntilOptions {
  readonly timeoutMs: number;
  /** Between two questions. @default 50 */
  readonly everyMs?: number;
}

/** @throws Error when `isSo` does not answer true in time */
export async function until(what: string, isSo: () => Promise<boolean>, options: UntilOptions): Promise<void> {
  const deadline = performance.now() + options.timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${options.timeoutMs} ms`);
    await pause(options.everyMs ?? 50);
  }
}
