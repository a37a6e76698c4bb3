// What a torrent does about what its swarm brings about: a verified piece, the info dictionary, blocks of unfinished
// pieces; and when the swarm comes into being and goes.
import type { PartialPiece } from '../../storage/types.js';
import type { OwnNames } from './own-names.js';
import { takeMetadata, type MetadataDeps } from './metadata-received.js';
import type { TorrentProgress } from './pieces/progress.js';
import type { TorrentRecord } from './resume/torrent-record.js';
import type { TorrentServices } from './session-interface.js';
import { isOnline, type Activity } from './state.js';
import type { SwarmManager, SwarmManagerEvents } from './swarm/swarm-manager.js';

export interface SwarmEventDeps extends MetadataDeps {
  readonly services: TorrentServices;
  readonly record: TorrentRecord;
  readonly progress: TorrentProgress;
  readonly swarmManager: SwarmManager;
  readonly activity: Activity;
  /** Says whether there are connections to look after each second. */
  setAwake(awake: boolean): void;
  saveSoon(writtenBytes?: number): void;
  onPieceThere(): void;
  /** `before`: what it did until then; `named`: complete files have their names. Resolves when it is stored, or that failed and is shown. */
  onCompleted(before: Activity, named: Promise<void> | null): Promise<void>;
  /** null where files have their own names from the beginning. */
  readonly ownNames: OwnNames | null;
}

export class SwarmEventHandlers implements SwarmManagerEvents {
  constructor(private readonly deps: SwarmEventDeps) {}

  onAwake(): void {
    const { swarmManager, activity, record } = this.deps;
    this.deps.setAwake(true);
    if (activity === 'downloading') swarmManager.startDownload(record.row.sequential);
  }

  onAsleep(): void {
    const { services, record, activity } = this.deps;
    this.deps.setAwake(false);
    if (isOnline(activity)) services.discovery.hurry(record.row.id);
  }

  onPieceVerified(piece: number): void {
    const { swarmManager, progress, record, ownNames, activity: before } = this.deps;
    const content = swarmManager.content();
    const wasComplete = progress.isComplete;
    const length = content ? progress.addPiece(content.info, content.priorities, piece) : 0;
    if (length === 0) return;
    record.onPieceVerified(piece);
    this.deps.saveSoon(length);
    swarmManager.swarm?.onPieceVerified(piece);
    this.deps.onPieceThere();
    if (content) ownNames?.onPieceVerified(content.info, piece);
    // A piece that was still on its way to disk when the torrent stopped counts, but must not keep the content open.
    if (!swarmManager.swarm) swarmManager.releaseContent();
    if (!wasComplete && progress.isComplete) void this.deps.onCompleted(before, ownNames?.given ?? null);
  }

  onPartial(partial: readonly PartialPiece[]): void {
    const { record, progress } = this.deps;
    record.keepPartial(partial.filter(({ piece }) => !progress.have?.has(piece)));
    this.deps.saveSoon();
  }

  onMetadata(infoBytes: Uint8Array): void {
    void this.deps.record.edits.run(() => takeMetadata(this.deps, infoBytes, null));
  }
}
