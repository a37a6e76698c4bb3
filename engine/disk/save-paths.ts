// Whether the folders that torrents are saved to are still those they were (docs/semantics.md section 5): with its
// volume not mounted a save path is an empty folder of the system's disk, or is not there, and must not be filled or
// made. Only save paths that are in use are remembered.
import { Counts } from '../../shared-protocol/counts.js';
import { isSameVolume, type Sighting } from '../../storage/folder-sighting.js';
import { CoalescedProbe } from '../util/coalesced-probe.js';

export class SavePaths {
  /** Told of every change, so that it outlives the engine. */
  onChanged: (known: Uint8Array) => void = () => undefined;
  readonly #known = new Map<string, Sighting>();
  readonly #users = new Counts<string>();
  readonly #devices = new Map<string, number>();
  /** Ten thousand torrents may look at once when they start. */
  readonly #looks: CoalescedProbe<Sighting>;

  constructor(sight: (savePath: string) => Promise<Sighting>) {
    this.#looks = new CoalescedProbe(sight);
  }

  /** Takes what an earlier run knew. Unreadable: nothing. */
  load(known: Uint8Array | undefined): void {
    if (!known) return;
    try {
      const entries = JSON.parse(Buffer.from(known).toString()) as [string, Sighting][];
      for (const [savePath, sighting] of entries) this.#known.set(savePath, sighting);
    } catch {
      // The volumes of now are taken for the right ones.
    }
  }

  /** A torrent is saved there. */
  use(savePath: string): void {
    this.#users.add(savePath);
  }

  /** With its last torrent a save path is forgotten: another volume may come there. */
  leave(savePath: string): void {
    if (this.#users.take(savePath) === 0 && this.#known.delete(savePath)) this.#tell();
  }

  /** Device number as it was last seen; torrents of one device are not read at the same time. */
  deviceOf(savePath: string): number {
    return this.#devices.get(savePath) ?? 0;
  }

  /** Whether the volume is the one it was; of a save path that no torrent used before, it is. */
  async isHere(savePath: string): Promise<boolean> {
    const now = await this.#looks.at(savePath);
    this.#devices.set(savePath, now.device);
    const before = this.#known.get(savePath);
    if (before && !isSameVolume(before, now)) return false;
    this.#learn(savePath, before, now);
    return true;
  }

  /** The volume that is there now is the right one: the data on it says so, or a person. */
  async adopt(savePath: string): Promise<void> {
    const now = await this.#looks.at(savePath);
    this.#learn(savePath, this.#known.get(savePath), now);
  }

  /** Before anything is created there. @throws system error `ENODEV` */
  async assertHere(savePath: string): Promise<void> {
    if (await this.isHere(savePath)) return;
    throw Object.assign(new Error('the volume of the save path is not mounted'), { code: 'ENODEV' });
  }

  #learn(savePath: string, before: Sighting | undefined, now: Sighting): void {
    if (this.#users.of(savePath) === 0) return;
    // The folder was removed from a volume that is still there: what it was like tells the volume apart.
    if (before?.exists && !now.exists && before.device === now.device) return;
    if (before && JSON.stringify(before) === JSON.stringify(now)) return;
    this.#known.set(savePath, now);
    this.#tell();
  }

  #tell(): void {
    this.onChanged(Buffer.from(JSON.stringify([...this.#known])));
  }
}
