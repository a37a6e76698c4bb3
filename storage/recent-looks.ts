// What was seen on the disk a moment ago: thousands of torrents that are added one after another to the same folder ask
// for it once a second and not once each. Only for what is looked at again where it matters: by where the kernel says that
// an opened file is (engine/disk/open-beneath.ts), or by the error of the file that cannot be made.

const REMEMBERED_MS = 1_000;

export interface RecentLooksOptions<Found> {
  /** Monotonic. @default performance.now */
  readonly nowMs?: () => number;
  /** Whether an answer may be given again. @default all may */
  readonly isLasting?: (found: Found) => boolean;
}

export class RecentLooks<Found> {
  readonly #known = new Map<string, { readonly found: Promise<Found>; readonly untilMs: number }>();
  readonly #nowMs: () => number;
  readonly #isLasting: (found: Found) => boolean;

  constructor(
    private readonly look: (path: string) => Promise<Found>,
    { nowMs = () => performance.now(), isLasting = () => true }: RecentLooksOptions<Found> = {},
  ) {
    this.#nowMs = nowMs;
    this.#isLasting = isLasting;
  }

  /** Rejects as the look does, which is not remembered. */
  at(path: string): Promise<Found> {
    const nowMs = this.#nowMs();
    const known = this.#known.get(path);
    if (known && nowMs < known.untilMs) return known.found;
    this.#drop(nowMs);
    const found = this.look(path);
    this.#known.set(path, { found, untilMs: nowMs + REMEMBERED_MS });
    const forgetThis = (): void => {
      if (this.#known.get(path)?.found === found) this.#known.delete(path);
    };
    found.then((seen) => this.#isLasting(seen) || forgetThis(), forgetThis);
    return found;
  }

  forget(path: string): void {
    this.#known.delete(path);
  }

  #drop(nowMs: number): void {
    for (const [path, { untilMs }] of this.#known) if (nowMs >= untilMs) this.#known.delete(path);
  }
}
