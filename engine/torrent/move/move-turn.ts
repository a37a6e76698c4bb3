// A move or rename in its turn: files come to the new place, one commit makes it the torrent's, what is left at the old one
// goes. Where that cannot be, or was ended, everything stays where it was.
import { AppError } from '../../../shared-protocol/errors.js';
import type { MoveRow, ResumeRow, TorrentRow } from '../../../storage/types.js';
import type { Brought } from '../../disk/index.js';
import type { Recheck } from '../check/recheck.js';
import { volumeMissing, type ErrorState } from '../error-state.js';
import type { TorrentProgress } from '../pieces/progress.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import { bringFiles } from './bring-files.js';
import { lieAt, type LieAtDeps } from './lie-at.js';
import { failed, storeSwitch } from './move-journal.js';
import type { MoveTrouble } from './move-trouble.js';
import type { MoveParts } from './store-begin.js';

export interface MoveTurnDeps extends LieAtDeps {
  readonly progress: TorrentProgress;
  readonly swarmManager: SwarmManager;
  readonly recheck: Pick<Recheck, 'state'>;
  readonly errorState: Pick<ErrorState, 'filesMissing' | 'error'>;
  saveSoon(): void;
  /** Has all checked that a failed sync may have lost. */
  checkDoubt(): Promise<void>;
  /** Files may be renamed again. */
  lookAtNames(): void;
  /** The disk that refused writes is another one now. */
  onOtherDisk(): Promise<void>;
}

export class MoveTurn {
  constructor(
    private readonly deps: MoveTurnDeps,
    private readonly parts: MoveParts & { readonly trouble: MoveTrouble },
  ) {}

  /** `row`: of the move that waited for its turn. */
  async run(row: MoveRow): Promise<void> {
    const { swarmManager } = this.deps;
    this.parts.underWay.enter('copying');
    swarmManager.holdContent(true);
    try {
      await this.#bring(row);
    } catch (error) {
      return await this.#giveUp(row, error);
    } finally {
      swarmManager.holdContent(false);
      swarmManager.releaseContent();
    }
    await this.#cleanUp();
  }

  async #bring(row: MoveRow): Promise<void> {
    const { services, record, progress, swarmManager, errorState } = this.deps;
    const { other, underWay } = this.parts;
    await swarmManager.ended;
    await swarmManager.released.catch(() => undefined);
    // Whoever opens files by what the row says has done so.
    await record.turns.run(async () => undefined);
    const content = swarmManager.content();
    if (!content) throw new AppError('STORAGE_FAILED', 'torrent: its metadata cannot be read');
    if (errorState.filesMissing) throw new AppError('FILES_MISSING', errorState.error?.message ?? 'files are missing');
    if (!(await services.disk.savePaths.isHere(row.to))) throw volumeMissing();
    await record.sync(content.storage);
    const { info } = content;
    const elsewhere = other.begin(info);
    const infoThere = other.infoThere(info, row);
    const { incompleteSuffix } = record.row;
    const means = { services, content, have: progress.have, infoThere, elsewhere, incompleteSuffix };
    const brought = await bringFiles(means, row, underWay);
    const resume = await record.syncedResume(progress, () => content);
    await content.storage.moveTo({ info: infoThere, savePath: row.to }, async () => {
      const ownership = lieAt(this.deps, await this.#storeSwitch(row, brought, resume), content, infoThere);
      other.switched(record.row.move ?? row, info);
      return ownership;
    });
  }

  /** One that fails may be stored all the same. */
  async #storeSwitch(row: MoveRow, brought: Brought, resume: ResumeRow | null): Promise<Partial<TorrentRow>> {
    const { services, record, recheck } = this.deps;
    const isInDoubt = recheck.state !== 'none' && !record.row.pendingCheck;
    try {
      return await storeSwitch(services, record.row, row, brought, { resume, isInDoubt });
    } catch (error) {
      this.parts.other.doubt();
      throw error;
    }
  }

  /** Everything stays where it was. */
  async #giveUp(row: MoveRow, error: unknown): Promise<void> {
    const { other, underWay, trouble } = this.parts;
    if (underWay.endedBy === 'engine') return trouble.note(error, 'move not ended');
    if (other.isInDoubt) {
      trouble.note(error, 'move may not be recorded');
      return underWay.rest();
    }
    const isCancelled = underWay.endedBy === 'person';
    underWay.forgetEnd();
    if (!isCancelled) trouble.log(error, 'move failed');
    try {
      await other.undo(row, isCancelled ? null : failed(row, error, 'failed'));
    } catch (undoError) {
      trouble.note(undoError, 'what a move has left could not be removed');
      await this.deps.record.update({ move: failed(row, error, 'copying') });
    } finally {
      await this.#makeUp();
      underWay.rest();
    }
  }

  async #cleanUp(): Promise<void> {
    const { record } = this.deps;
    const { other, underWay, trouble } = this.parts;
    underWay.enter('cleaning');
    this.deps.saveSoon();
    await this.#makeUp();
    await this.deps.onOtherDisk().catch((error: unknown) => trouble.note(error, 'not looked at'));
    try {
      await other.putInOrder(null);
      trouble.over();
    } catch (error) {
      trouble.note(error, 'what a move has left could not be removed');
    }
    // Links that have gone have changed the times by which the files are known.
    record.onPiecesChanged();
    this.deps.saveSoon();
    underWay.rest();
  }

  /** Makes up for what was held back meanwhile: a check of what may be lost, bytes of files that became wanted. */
  async #makeUp(): Promise<void> {
    await this.deps
      .checkDoubt()
      .catch((error: unknown) => this.parts.trouble.log(error, 'no check could be asked for'));
    await this.deps.swarmManager.moveWanted();
    this.deps.lookAtNames();
  }
}
