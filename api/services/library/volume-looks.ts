// How full the volume is that a path lies on. A server that does not answer holds whoever asks for good, and with each
// look one of the few threads that all of this process shares: so there is one look at a time, and nobody waits long for it.
import type { Folders, VolumeLook } from '../../../shared-protocol/folders.js';
import type { Engines } from '../../engines/engines.js';

/** How long what was seen is told: people look again each second. */
const FRESH_MS = 10_000;
/** A disk that has to spin up takes ten; what comes later is told the next time. */
const PATIENCE_MS = 3_000;
/** Paths that are looked at for one answer; of an account that has more, the others' volume is not known. */
const MAX_PATHS = 1_000;

interface Seen {
  readonly look: VolumeLook | null;
  readonly atMs: number;
}

/** The volumes of each engine's machine. */
export class EngineVolumes {
  readonly #looks = new Map<string, VolumeLooks>();

  constructor(
    private readonly engines: Pick<Engines, 'foldersOf' | 'nameFor'>,
    private readonly nowMs: () => number,
  ) {}

  /** '' for the first engine. */
  of(engine: string): VolumeLooks {
    const name = this.engines.nameFor(engine);
    const looks = this.#looks.get(name) ?? new VolumeLooks(this.engines.foldersOf(name), this.nowMs);
    this.#looks.set(name, looks);
    return looks;
  }
}

export class VolumeLooks {
  readonly #seen = new Map<string, Seen>();
  #turn: Promise<unknown> = Promise.resolve();
  #isHeld = false;

  /** @param nowMs monotonic milliseconds */
  constructor(
    private readonly folders: Pick<Folders, 'volumes'>,
    private readonly nowMs: () => number,
  ) {}

  /** By path; null for what did not answer. */
  async at(paths: Iterable<string>): Promise<Map<string, VolumeLook | null>> {
    const wanted = [...new Set(paths)].slice(0, MAX_PATHS);
    const missing = wanted.filter((path) => this.nowMs() - (this.#seen.get(path)?.atMs ?? -Infinity) >= FRESH_MS);
    if (missing.length > 0) await this.#lookAt(missing);
    return new Map(wanted.map((path) => [path, this.#seen.get(path)?.look ?? null]));
  }

  async #lookAt(paths: readonly string[]): Promise<void> {
    // While one look is held nobody begins another.
    if (this.#isHeld) return;
    const looked = (this.#turn = this.#turn.then(() => this.#lookAtEach(paths)));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), PATIENCE_MS)));
    this.#isHeld = (await Promise.race([looked, late])) === 'late';
    clearTimeout(timer);
    if (this.#isHeld) void looked.then(() => (this.#isHeld = false));
  }

  /** Never rejects. */
  async #lookAtEach(paths: readonly string[]): Promise<void> {
    for (const [path, { atMs }] of this.#seen) if (this.nowMs() - atMs >= FRESH_MS) this.#seen.delete(path);
    // Others may have looked while this waited for its turn.
    const missing = paths.filter((path) => !this.#seen.has(path));
    const looks = await this.folders.volumes(missing).catch(() => []);
    missing.forEach((path, place) => this.#seen.set(path, { look: looks[place] ?? null, atMs: this.nowMs() }));
  }
}
