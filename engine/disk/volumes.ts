// The volumes that downloads are written to, by device number. A torrent's refused write leads to the volume of the
// folder it was for: its save path, or the folder of the part files.
import { AppError } from '../../shared-protocol/errors.js';
import type { Log } from '../environment.js';
import { diskError, isOfPartFile } from './errors.js';
import type { DiskTrouble, DiskWaiter } from './types.js';
import { Volume } from './volume.js';
import type { VolumeProbe } from './volume-probe.js';

export class Volumes implements DiskTrouble {
  readonly #byDevice = new Map<number, Volume>();
  /** Torrents whose volume is being found out; one that leaves meanwhile is not to wait any more. */
  readonly #arriving = new Set<DiskWaiter>();

  constructor(
    private readonly deps: { readonly looks: VolumeProbe; readonly log: Log },
    private readonly partsDir: string,
  ) {}

  /** null when the system cannot say: then the write itself will. */
  async of(folder: string): Promise<Volume | null> {
    const device = await this.deps.looks.deviceOf(folder).catch(() => null);
    if (device === null) return null;
    let volume = this.#byDevice.get(device);
    if (!volume) this.#byDevice.set(device, (volume = new Volume(this.deps)));
    return volume;
  }

  wait(waiter: DiskWaiter, error: unknown, nowMs: number): void {
    const known = error instanceof AppError ? error : diskError(error, []);
    const folder = isOfPartFile(known) ? this.partsDir : waiter.savePath;
    this.#arriving.add(waiter);
    void this.#volumeOrUnknown(folder).then((volume) => {
      if (this.#arriving.delete(waiter)) volume.wait(waiter, folder, known, nowMs);
    });
  }

  leave(waiter: DiskWaiter): void {
    this.#arriving.delete(waiter);
    for (const volume of this.#byDevice.values()) volume.leave(waiter);
  }

  tick(nowMs: number): void {
    for (const volume of this.#byDevice.values()) volume.tick(nowMs);
  }

  /** A folder that cannot even be asked for its device: one volume stands for all of these. */
  async #volumeOrUnknown(folder: string): Promise<Volume> {
    const volume = await this.of(folder);
    if (volume) return volume;
    let unknown = this.#byDevice.get(UNKNOWN_DEVICE);
    if (!unknown) this.#byDevice.set(UNKNOWN_DEVICE, (unknown = new Volume(this.deps)));
    return unknown;
  }
}

const UNKNOWN_DEVICE = -1;
