// The torrents that are made here, each by a number that nobody can guess. Owns: how many there are at a time, and that one
// which is forgotten hashes nothing any more. Nothing of them outlives the engine.
import { basename } from 'node:path';
import type { CommandParams } from '../../shared-protocol/commands.js';
import type { CreateParams, CreationRef, CreationStatus } from '../../shared-protocol/commands/creations.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { Claims } from '../claims/index.js';
import { Creation, MAX_CREATIONS, type CreationDeps } from '../creation/index.js';
import type { FileState } from '../disk/index.js';
import { SECOND_MS, type Clock, type Random, type Timer } from '../environment.js';
import { cleanTiers, cleanWebSeeds } from '../metainfo/index.js';
import { refuseUnspoken } from '../torrent/share-trackers.js';
import type { CheckQueue } from './check-queue.js';
import { unguessedNumber } from './unguessed-number.js';

/** One that asks how it goes waits so long at most: well under the deadline of its command. */
const STATUS_WAIT_MS = 5 * SECOND_MS;

export interface CreationsDeps extends Omit<CreationDeps, 'readRight' | 'clock'> {
  readonly clock: Clock;
  readonly random: Random;
  readonly claims: Pick<Claims, 'readRight' | 'learn'>;
  readonly checks: Pick<CheckQueue, 'addAudit' | 'remove'>;
}

/** A torrent that is to be added with what was hashed. */
export interface AddedFromCreation {
  readonly id: TorrentId;
  readonly ownerId: AccountId;
  readonly savePath: string;
}

export class Creations {
  readonly #creations = new Map<number, Creation>();

  constructor(private readonly deps: CreationsDeps) {}

  /** @throws AppError `CREATE_NOT_ALLOWED`, `CREATE_REFUSED`, `TRACKER_INVALID` */
  async begin(params: CreateParams): Promise<CreationRef> {
    const { claims, disk, checks } = this.deps;
    if (this.#creations.size >= MAX_CREATIONS) throw new AppError('CREATE_REFUSED', 'too many torrents are being made');
    refuseAddresses(params);
    const readRight = () => claims.readRight(params.accountId, params.path);
    // Before anything is looked at: whether it is there is not for those to know who may not have it.
    if (!readRight()) {
      throw new AppError('CREATE_NOT_ALLOWED', 'path: not in the home of the account, or it holds files of others');
    }
    if (basename(params.path) === '') throw new AppError('CREATE_REFUSED', 'path: has no name');
    const { device } = await disk.trees.look(params.path);
    const creation = new Creation({ ...this.deps, readRight }, params, device);
    const number = unguessedNumber(this.deps.random, (used) => this.#creations.has(used));
    this.#creations.set(number, creation);
    checks.addAudit(creation);
    return { creation: number };
  }

  /** @throws AppError `CREATION_NOT_FOUND` */
  async status({ creation, wait = false }: CommandParams<'creationStatus'>): Promise<CreationStatus> {
    const found = this.#find(creation);
    if (wait) await this.#ended(found);
    return found.status;
  }

  /** @throws AppError `CREATION_NOT_FOUND`, `CREATION_NOT_DONE` */
  torrentFile({ creation }: CreationRef): Uint8Array {
    return this.#find(creation).torrentBytes;
  }

  /**
   * The states of the files that were hashed, where they are as they were.
   * @throws AppError `CREATION_NOT_FOUND`, `CREATION_NOT_DONE`, `FILES_CHANGED`, `SAVE_PATH_INVALID`
   */
  async trusted(number: number, { id, ownerId, savePath }: AddedFromCreation): Promise<readonly FileState[]> {
    const creation = this.#find(number);
    if (creation.ownerId !== ownerId) throw new AppError('BUG', 'bug: a creation of another account');
    if ((await this.deps.claims.learn(savePath)) !== creation.savePath) {
      throw new AppError('SAVE_PATH_INVALID', 'save_path: what was hashed lies elsewhere');
    }
    return creation.trusted(id);
  }

  end({ creation }: CreationRef): void {
    const found = this.#creations.get(creation);
    this.#creations.delete(creation);
    found?.stop();
    if (found) this.deps.checks.remove(found);
  }

  /** Nothing is hashed any more once what has its turn has noticed. */
  close(): void {
    for (const creation of [...this.#creations.keys()]) this.end({ creation });
  }

  #find(number: number): Creation {
    const creation = this.#creations.get(number);
    if (!creation) throw new AppError('CREATION_NOT_FOUND', 'creation not found');
    return creation;
  }

  async #ended(creation: Creation): Promise<void> {
    let timer: Timer | undefined;
    const timeOut = new Promise<void>((resolve) => (timer = this.deps.clock.after(STATUS_WAIT_MS, resolve)));
    await Promise.race([creation.ended, timeOut]);
    timer?.cancel();
  }
}

/** Refuses what the reader of torrent files would leave out. @throws AppError `TRACKER_INVALID`, `CREATE_REFUSED` */
function refuseAddresses({ trackers, webSeeds }: CreateParams): void {
  trackers.forEach((tier, i) => tier.forEach((url, j) => refuseUnspoken(url, `trackers[${i}][${j}]`)));
  if (cleanTiers(trackers).flat().length < trackers.flat().length) {
    throw new AppError('CREATE_REFUSED', 'trackers: the same one twice, no URL, or more than a torrent may have');
  }
  if (cleanWebSeeds(webSeeds).length < webSeeds.length) {
    throw new AppError(
      'CREATE_REFUSED',
      'web_seeds: the same one twice, no http or https URL, or more than a torrent may have',
    );
  }
}
