// What a torrent does about what comes from its swarm: pieces, metadata, payload to count, failures of the disk.
import type { RateLimits } from '../../shared-protocol/commands.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { PartialPiece } from '../../storage/types.js';
import type { TargetAccess } from '../net/judge-target.js';
import { Bitfield } from './pieces/bitfield.js';
import { openContent, type Content } from './files/content.js';
import type { Lifecycle } from './lifecycle.js';
import { seedsBringerOf } from './holders.js';
import { takeMetadata } from './metadata-received.js';
import type { SwarmManagerDeps } from './swarm/swarm-manager.js';
import type { TorrentServices } from './session-interface.js';
import { isOnline } from './state.js';

/** Shared by all torrents that have none. */
const NONE: readonly never[] = [];

export class SwarmEventHandlers implements SwarmManagerDeps {
  constructor(private readonly life: Lifecycle) {}

  get id(): TorrentId {
    return this.life.id;
  }

  get services(): TorrentServices {
    return this.life.services;
  }

  get have(): Bitfield | null {
    return this.life.progress.have;
  }

  get isPrivate(): boolean {
    return this.life.isPrivate;
  }

  get limits(): RateLimits {
    return this.life.rateLimits;
  }

  get webSeeds(): readonly string[] {
    return this.life.row.webSeeds;
  }

  get httpSeeds(): readonly string[] {
    return this.life.row.httpSeeds ?? NONE;
  }

  get webSeedAccess(): TargetAccess {
    const account = seedsBringerOf(this.life.row);
    return { account, mayReachInside: () => this.services.inside.isInsider(account) };
  }

  load(): Content | null {
    const { services, id, row } = this.life;
    try {
      return openContent(services, id, row);
    } catch (error) {
      this.life.diskFailures.onFailed(error);
      return null;
    }
  }

  takePartial(): readonly PartialPiece[] {
    return this.life.record.takePartial();
  }

  onAwake(): void {
    const { swarmManager, activity, row } = this.life;
    this.life.setAwake(true);
    if (activity === 'downloading') swarmManager.startDownload(row.sequential);
  }

  onAsleep(): void {
    const { services, id } = this.life;
    this.life.setAwake(false);
    if (isOnline(this.life.activity)) services.discovery.hurry(id);
  }

  onAddressFree(): void {
    this.life.seekPeers();
  }

  onPayload(direction: 'down' | 'up', bytes: number): void {
    this.life.progress.count(direction, bytes);
  }

  onPieceVerified(piece: number): void {
    const { swarmManager, progress, record } = this.life;
    const content = swarmManager.content();
    const wasComplete = progress.isComplete;
    const before = this.life.activity;
    const length = content ? progress.addPiece(content.info, content.priorities, piece) : 0;
    if (length === 0) return;
    record.onPieceVerified(piece);
    this.life.saveSoon(length);
    swarmManager.swarm?.onPieceVerified(piece);
    // A piece that was still on its way to disk when the torrent stopped counts, but must not keep the content open.
    if (!swarmManager.swarm) swarmManager.releaseContent();
    if (!wasComplete && progress.isComplete) void this.life.onCompleted(before);
  }

  onPartial(partial: readonly PartialPiece[]): void {
    const { record, progress } = this.life;
    record.keepPartial(partial.filter(({ piece }) => !progress.have?.has(piece)));
    this.life.saveSoon();
  }

  onReadFailed(error: unknown): void {
    this.life.diskFailures.onReadFailed(error);
  }

  onWriteFailed(error: unknown): void {
    this.life.diskFailures.onWriteFailed(error);
  }

  onMetadata(infoBytes: Uint8Array): void {
    void this.life.record.edits.run(() => this.takeMetadata(infoBytes, null));
  }

  /** In a turn of `edits`. `sure`: the holder whose torrent file it is, if it is anybody's. Never rejects. */
  takeMetadata(infoBytes: Uint8Array, sure: AccountId | null): Promise<void> {
    return this.life.record.turns.run(() => this.#takeMetadata(infoBytes, sure));
  }

  /** Several peers may deliver it; the first one counts. */
  async #takeMetadata(infoBytes: Uint8Array, sure: AccountId | null): Promise<void> {
    const { services, row, record, swarmManager, progress, recheck } = this.life;
    if (row.summary) return;
    try {
      const { change, content, filesFound, reservation } = await takeMetadata(services, row, infoBytes, sure);
      if (this.life.hasEnded) return reservation.release();
      this.life.change(() => {
        record.assume(change);
        const kept = new Set(record.row.trackers.flat());
        for (const url of row.trackers.flat()) if (!kept.has(url)) services.announces.removeTracker(row.id, url);
        swarmManager.setContent(content);
        progress.replace(content.info, content.priorities, new Bitfield(content.info.pieceCount));
        if (filesFound) recheck.queue();
        else swarmManager.giveContent();
      });
      this.life.claimPlace();
      reservation.release();
      if (this.isPrivate) this.#onPrivate();
    } catch (error) {
      this.life.diskFailures.onFailed(error);
    }
  }

  /** Learnt from the info dictionary, after peers had been looked for everywhere (BEP 27). */
  #onPrivate(): void {
    const { services, id, swarmManager } = this.life;
    services.discovery.stop(id);
    swarmManager.onPrivate();
  }
}
