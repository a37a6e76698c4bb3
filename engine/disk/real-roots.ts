// Where save paths really lead, for all torrents together: thousands that are added at once to the same folder ask the
// disk once and not once each. Remembered for a second, in which a link that is turned elsewhere is found out by where
// the kernel says that an opened file is (open-beneath.ts), and then asked for again.
import { realpath } from 'node:fs/promises';

const REMEMBERED_MS = 1_000;

export class RealRoots {
  readonly #known = new Map<string, { readonly path: Promise<string>; readonly untilMs: number }>();

  constructor(
    private readonly nowMs: () => number = () => performance.now(),
    private readonly ask: (path: string) => Promise<string> = realpath,
  ) {}

  /** @throws system errors, which are not remembered */
  of(savePath: string): Promise<string> {
    const nowMs = this.nowMs();
    const known = this.#known.get(savePath);
    if (known && nowMs < known.untilMs) return known.path;
    this.#drop(nowMs);
    const path = this.ask(savePath);
    this.#known.set(savePath, { path, untilMs: nowMs + REMEMBERED_MS });
    path.catch(() => this.forget(savePath));
    return path;
  }

  forget(savePath: string): void {
    this.#known.delete(savePath);
  }

  #drop(nowMs: number): void {
    for (const [savePath, { untilMs }] of this.#known) if (nowMs >= untilMs) this.#known.delete(savePath);
  }
}
