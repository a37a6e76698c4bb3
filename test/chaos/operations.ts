// The things that are under way when the daemon is killed: adds, downloads, rechecks, deletions, changes of settings.
import type { DaemonUnderTest } from '../support/daemon.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { connectSeed, type ScriptedSeed } from '../support/peers/scripted-seed.js';
import { attribute, ATTRIBUTE_NAMES, pick, type AttributeName } from './attributes.js';
import type { Model, TrackedTorrent } from './model.js';
import { Promised } from './promises.js';

export type OperationName = 'add' | 'delete' | 'recheck' | 'limits' | 'queue' | 'newCategory' | AttributeName;

type Operation = (run: Run) => Promise<void>;

/** One life of the daemon. */
export class Run {
  /** Under way at the moment. */
  readonly inFlight = new Set<OperationName>();
  readonly #seeds: ScriptedSeed[] = [];

  constructor(
    readonly daemon: DaemonUnderTest,
    readonly model: Model,
    readonly random: SeededRandom,
  ) {}

  /** Downloads go on from where they were. */
  async seedAll(): Promise<void> {
    for (const { payload, present } of this.model.torrents) if (present.value) await this.seed({ payload });
  }

  async seed({ payload }: Pick<TrackedTorrent, 'payload'>): Promise<ScriptedSeed> {
    const seed = await connectSeed(payload, this.daemon.peerPort, Infinity);
    this.#seeds.push(seed);
    return seed;
  }

  /** One after another, for as long as the daemon lives. */
  async operate(): Promise<void> {
    for (;;) {
      const name = pick(this.random, OPERATION_NAMES);
      this.inFlight.add(name);
      try {
        await (name in OPERATIONS
          ? OPERATIONS[name as keyof typeof OPERATIONS](this)
          : this.#setAttribute(name as AttributeName));
      } catch {
        // It is dead, and what was asked last stays in doubt.
        return;
      }
      this.inFlight.delete(name);
    }
  }

  /** Asks for a change and notes whether it was granted. Throws when there is no answer. */
  async change<Value extends string | number | boolean | null>(
    promised: Promised<Value>,
    value: Value,
    request: () => Promise<{ readonly status: number }>,
  ): Promise<boolean> {
    if (promised.isInDoubt) return false;
    promised.ask(value);
    const { status } = await request();
    // It is shutting down: what was asked may have been done all the same.
    if (status >= 500) throw new Error(`answered ${status}`);
    promised.answered(status === 200);
    return status === 200;
  }

  some(isPresent: boolean): TrackedTorrent | undefined {
    const fitting = this.model.torrents.filter(({ present }) => !present.isInDoubt && present.value === isPresent);
    return fitting.length > 0 ? pick(this.random, fitting) : undefined;
  }

  async #setAttribute(name: AttributeName): Promise<void> {
    const torrent = this.some(true);
    if (!torrent) return;
    const value = attribute(name).choose(this.random);
    const { infoHash } = torrent.payload;
    await this.change(torrent.attributes[name], value, () => attribute(name).ask(this.daemon, infoHash, value));
    if (name === 'paused' && value === 'false') await this.seed(torrent);
  }

  end(): void {
    for (const seed of this.#seeds) seed.destroy();
  }
}

const pathOf = ({ payload }: TrackedTorrent): string => `/api/torrents/${payload.infoHash}`;

const OPERATIONS = {
  async add(run) {
    const torrent = run.some(false);
    if (!torrent) return;
    const form = new FormData();
    form.set('file', new Blob([torrent.payload.torrent()]), 'chaos.torrent');
    // What an add that is not answered leaves is a torrent as it is when it is new.
    for (const name of ATTRIBUTE_NAMES) torrent.attributes[name].accepts(attribute(name).initial);
    const { daemon } = run;
    const isAdded = await run.change(torrent.present, true, () => daemon.api('POST', '/api/torrents/file', form));
    if (isAdded) await run.seed(torrent);
  },
  async delete(run) {
    const torrent = run.some(true);
    // Most of the time there should be something to lose.
    if (!torrent || run.random.below(3) > 0) return;
    const flag = run.random.below(2) === 0 ? '?delete=1' : '';
    await run.change(torrent.present, false, () => run.daemon.api('DELETE', `${pathOf(torrent)}${flag}`));
  },
  async recheck(run) {
    const torrent = run.some(true);
    if (torrent) await run.daemon.api('POST', `${pathOf(torrent)}/recheck`);
  },
  async limits(run) {
    const up_kbps = run.random.below(100_000);
    const body = { down_kbps: 0, up_kbps, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
    await run.change(run.model.upKbps, up_kbps, () => run.daemon.api('PUT', '/api/settings/limits', body));
  },
  async queue(run) {
    const max_active_seeds = run.random.below(50);
    const body = { max_active_downloads: 0, max_active_seeds };
    await run.change(run.model.maxSeeds, max_active_seeds, () =>
      run.daemon.api('PUT', '/api/settings/queue_limits', body),
    );
  },
  async newCategory(run) {
    const name = `category ${run.random.below(1_000_000)}`;
    if (run.model.categories.has(name)) return;
    const there = new Promised<boolean>(false);
    run.model.categories.set(name, there);
    const body = { name, default_save_path: '', color: '' };
    await run.change(there, true, () => run.daemon.api('POST', '/api/categories', body));
  },
} satisfies Readonly<Record<string, Operation>>;

export const OPERATION_NAMES: readonly OperationName[] = [
  ...(Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]),
  ...ATTRIBUTE_NAMES,
];
