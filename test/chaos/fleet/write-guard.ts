// Who writes into files on the root that all engines share: only the engine whose the torrent is. An engine that has lost it to
// another, and writes once more, is found however the bytes compare.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { watchWrites, type SeenWrite, type WatchedWrites } from '../../support/peers/writes.js';
import type { FleetUnderTest } from '../../support/fleet.js';
import type { FleetModel } from './model.js';

export class WriteGuard {
  readonly violations: string[] = [];
  /** How many writes have been judged. */
  judged = 0;
  /** Names of engines by the process ids that they have had. */
  readonly #engines = new Map<number, string>();
  #watch: WatchedWrites | null = null;

  private constructor(
    private readonly fleet: FleetUnderTest,
    private readonly model: FleetModel,
  ) {}

  static async start(fleet: FleetUnderTest, model: FleetModel): Promise<WriteGuard> {
    const guard = new WriteGuard(fleet, model);
    const homes = fleet.engines.map((_, account) => fleet.homeOf(account)).filter((home) => fleet.isShared(home));
    guard.#watch = await watchWrites(homes, (write) => guard.#judge(write));
    return guard;
  }

  /** Remembers which processes the engines are now. */
  look(): void {
    for (const { pid, name } of this.fleet.engines) if (pid !== null) this.#engines.set(pid, name);
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
  }

  #judge({ pid, path, atMs }: SeenWrite): void {
    this.look();
    const writer = this.#engines.get(pid);
    const torrent = this.model.torrents.find(({ name }) => name === basename(path));
    // This process writes as well: it makes files of torrents that are added whole.
    if (writer === undefined || !torrent) return;
    const owner = this.#ownerOf(torrent.id);
    if (owner === null) return;
    this.judged++;
    if (owner.name === writer || owner.sinceMs >= atMs) return;
    this.violations.push(`${torrent.name} was written by ${writer} after it had gone to ${owner.name}`);
  }

  /** `sinceMs`: when its entry was stored last, or came to the engine. null: it is nobody's. */
  #ownerOf(id: string): { readonly name: string; readonly sinceMs: number } | null {
    const base = join(this.fleet.sharedRoot, '.swarmd', 'engines');
    for (const engineId of readdirSync(base)) {
      const found = statSync(join(base, engineId, 'torrents', id), { throwIfNoEntry: false });
      if (found) return { name: this.#nameOf(engineId), sinceMs: found.ctimeMs };
    }
    return null;
  }

  #nameOf(engineId: string): string {
    const isIt = ({ name }: { readonly name: string }): boolean =>
      readFileSync(join(this.fleet.stateOf({ name }), 'engine-id'), 'utf8').trim() === engineId;
    return this.fleet.engines.find(isIt)?.name ?? engineId;
  }
}
