// The place of a moving torrent, or of one whose files are renamed, at which it does not lie: the new one while files come, the old one once they have. Owns the
// claim of that place, the record of what is the torrent's there, and that this and nothing else is removed from it.
import { AppError } from '../../../shared-protocol/errors.js';
import type { MoveRow, PathsRow } from '../../../storage/types.js';
import type { ClaimingTorrent, FilesElsewhere, Reservation, TorrentFiles } from '../../claims/index.js';
import type { KeepFile, Relocation } from '../../disk/index.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import { volumeMissing } from '../error-state.js';
import { readInfo } from '../files/content.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import type { TorrentServices } from '../session-interface.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import { forget, isUnfinished, otherPlace } from './move-journal.js';

export interface OtherPlaceDeps {
  readonly services: TorrentServices;
  readonly record: TorrentRecord;
  readonly swarmManager: Pick<SwarmManager, 'openedContent'>;
  /** The torrent, as it is known by its place on disk. */
  readonly claiming: ClaimingTorrent;
  /** Tells which files others have below that save path, where the torrent's place there has these names. */
  filesOfOthers(savePath: string, topNames: readonly string[] | null): KeepFile;
  /** Whatever is added to the save path meanwhile waits. */
  whileRemoving(savePath: string, work: Promise<void>): Promise<void>;
}

export class OtherPlace {
  #hold: Reservation | null = null;
  /** The switch may or may not be stored: until the next run has read the row nothing is removed at either place. */
  #isInDoubt = false;
  /** The record of the run that is copying: it knows which files it was only about to make. */
  #elsewhere: FilesElsewhere | null = null;
  /** The torrent with these paths: to read it from the store anew takes its time where files are many. */
  #known: { readonly paths: PathsRow; readonly info: TorrentInfo } | null = null;

  constructor(private readonly deps: OtherPlaceDeps) {}

  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** Which of the two places is the other one is not known any more in this run. */
  doubt(): void {
    this.#isInDoubt = true;
  }

  /** At the load of the torrent: the place is still its own. Its path has been learnt. */
  holdAgain(row: MoveRow): void {
    const { disk, claims } = this.deps.services;
    disk.savePaths.use(otherPlace(row));
    this.#hold = claims.hold(this.deps.claiming, otherPlace(row), this.#topNames(row));
  }

  /** The new place is free; until `letGo` it is the torrent's. */
  take(hold: Reservation): void {
    this.#hold = hold;
  }

  release(): void {
    this.#hold?.release();
    this.#hold = null;
  }

  /** Nothing of the torrent is left there. */
  letGo(savePath: string): void {
    this.release();
    this.#known = null;
    this.deps.services.disk.savePaths.leave(savePath);
  }

  /** Files are about to be made there. */
  begin(info: TorrentInfo): FilesElsewhere {
    this.#elsewhere = this.deps.services.claims.elsewhereOf(this.deps.claiming, info.files.length);
    return this.#elsewhere;
  }

  /** The torrent lies at the new place: the other one is the old one from here on, where it lay as `info` has it. */
  switched(row: MoveRow, info: TorrentInfo): void {
    this.#elsewhere = null;
    this.know(row, info);
    this.release();
    this.#hold = this.deps.services.claims.hold(this.deps.claiming, row.from, this.#topNames(row));
  }

  /** `info`: as the torrent lies; `ownership`: of what lies at the old place, where that is asked. */
  relocation(info: TorrentInfo, row: MoveRow, ownership?: TorrentFiles): Relocation {
    const { services, claiming } = this.deps;
    const { from, to } = row;
    const elsewhere = this.#elsewhere ?? services.claims.elsewhereOf(claiming, info.files.length);
    const other = this.infoThere(info, row);
    const infos = row.phase === 'cleaning' ? { info: other, infoThere: info } : { info, infoThere: other };
    const { incompleteSuffix } = claiming;
    return services.disk.relocation({
      ...infos,
      from,
      to,
      incompleteSuffix,
      elsewhere,
      ...(ownership && { ownership }),
    });
  }

  /** The torrent with its paths at the other place. @throws AppError `STORAGE_FAILED` when they cannot be read */
  infoThere(info: TorrentInfo, row: MoveRow): TorrentInfo {
    const { paths } = row;
    if (!paths) return info;
    if (this.#known?.paths === paths) return this.#known.info;
    const other = readInfo(
      this.deps.services,
      { id: this.deps.claiming.id, names: this.deps.record.row.names, ...paths },
      null,
    );
    if (!other) throw new AppError('STORAGE_FAILED', 'torrent: its metadata cannot be read');
    this.know(row, other);
    return other;
  }

  /** Notes how the torrent lies at the other place of a rename. */
  know({ paths }: MoveRow, info: TorrentInfo): void {
    if (paths) this.#known = { paths, info };
  }

  #topNames({ paths }: MoveRow): readonly string[] | null {
    return paths ? topNamesAt(paths, this.deps.record.row.name) : this.deps.claiming.topNames;
  }

  /** null while the metadata is unknown. @throws AppError `STORAGE_FAILED` when they cannot be read */
  info(): TorrentInfo | null {
    const { services, record, swarmManager } = this.deps;
    if (!record.row.summary) return null;
    const info = readInfo(services, record.row, swarmManager.openedContent);
    if (!info) throw new AppError('STORAGE_FAILED', 'torrent: its metadata cannot be read');
    return info;
  }

  /**
   * Removes what is left there, if anything. `again`: the move begins again.
   * @throws AppError `FILES_MISSING` where a volume is not there, `STORAGE_FAILED` while it is in doubt
   */
  async putInOrder(again: MoveRow | null): Promise<void> {
    const row = this.deps.record.row.move;
    if (!isUnfinished(row)) return;
    if (this.#isInDoubt) {
      throw new AppError('STORAGE_FAILED', 'move: may not be recorded, and is looked at by the next run');
    }
    const { savePaths } = this.deps.services.disk;
    for (const path of [row.from, row.to]) if (!(await savePaths.isHere(path))) throw volumeMissing();
    if (row.phase === 'cleaning') await this.#clean(row);
    else if (again) await this.#removeMade(row, again);
    else await this.undo(row, row.error ? withoutPaths(row, 'failed') : null);
  }

  /** Removes what was made there; `kept` of the move is its failure, if anything. */
  async undo(row: MoveRow, kept: MoveRow | null): Promise<void> {
    await this.#removeMade(row, kept);
    this.letGo(row.to);
  }

  async #removeMade(row: MoveRow, kept: MoveRow | null): Promise<void> {
    const info = this.info();
    if (info) await this.deps.whileRemoving(row.to, this.relocation(info, row).undo());
    this.#elsewhere = null;
    await forget(this.deps.record, info?.files.length ?? 0, kept);
  }

  async #clean(row: MoveRow): Promise<void> {
    const info = this.info();
    const keep = this.deps.filesOfOthers(row.from, this.#topNames(row));
    if (info) await this.deps.whileRemoving(row.from, this.relocation(info, row).clean(keep));
    await forget(this.deps.record, info?.files.length ?? 0, null);
    this.letGo(row.from);
  }
}

function topNamesAt({ topNames }: PathsRow, name: string): readonly string[] {
  return topNames ?? [name];
}

function withoutPaths({ paths: _paths, ...row }: MoveRow, phase: MoveRow['phase']): MoveRow {
  return { ...row, phase };
}
