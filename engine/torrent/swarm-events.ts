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
    return this.life.ledger.have;
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
      this.life.failures.onFailed(error);
      return null;
    }
  }

  takePartial(): readonly PartialPiece[] {
    return this.life.record.takePartial();
  }

  onAwake(): void {
    const { presence, activity, row } = this.life;
    this.life.setAwake(true);
    if (activity === 'downloading') presence.startDownload(row.sequential);
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
    this.life.ledger.count(direction, bytes);
  }

  onPieceVerified(piece: number): void {
    const { presence, ledger, record } = this.life;
    const content = presence.content();
    const wasComplete = ledger.isComplete;
    const before = this.life.activity;
    const length = content ? ledger.addPiece(content.info, content.priorities, piece) : 0;
    if (length === 0) return;
    record.onPieceVerified(piece);
    this.life.saveSoon(length);
    presence.swarm?.onPieceVerified(piece);
    // A piece that was still on its way to disk when the torrent stopped counts, but must not keep the content open.
    if (!presence.swarm) presence.releaseContent();
    if (!wasComplete && ledger.isComplete) void this.life.onCompleted(before);
  }

  onPartial(partial: readonly PartialPiece[]): void {
    const { record, ledger } = this.life;
    record.keepPartial(partial.filter(({ piece }) => !ledger.have?.has(piece)));
    this.life.saveSoon();
  }

  onReadFailed(error: unknown): void {
    this.life.failures.onReadFailed(error);
  }

  onWriteFailed(error: unknown): void {
    this.life.failures.onWriteFailed(error);
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
    const { services, row, record, presence, ledger, check } = this.life;
    if (row.summary) return;
    try {
      const { change, content, filesFound, reservation } = await takeMetadata(services, row, infoBytes, sure);
      if (this.life.hasEnded) return reservation.release();
      this.life.change(() => {
        record.assume(change);
        const kept = new Set(record.row.trackers.flat());
        for (const url of row.trackers.flat()) if (!kept.has(url)) services.announces.removeTracker(row.id, url);
        presence.setContent(content);
        ledger.replace(content.info, content.priorities, new Bitfield(content.info.pieceCount));
        if (filesFound) check.queue();
        else presence.giveContent();
      });
      this.life.claimPlace();
      reservation.release();
      if (this.isPrivate) this.#onPrivate();
    } catch (error) {
      this.life.failures.onFailed(error);
    }
  }

  /** Learnt from the info dictionary, after peers had been looked for everywhere (BEP 27). */
  #onPrivate(): void {
    const { services, id, presence } = this.life;
    services.discovery.stop(id);
    presence.onPrivate();
  }
}
