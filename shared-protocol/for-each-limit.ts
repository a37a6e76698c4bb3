/** Runs `work` over all items, at most `parallel` at a time; stops at the first error. */
export async function forEachLimit<T>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lane = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, lane));
}
