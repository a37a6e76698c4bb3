// Pieces that a torrent has on trust are hashed when somebody first asks for something of them, or in the background: one at a time of a torrent, in
// its turn (`proof-turns.ts`), each once, so that strangers who ask for all of it at once cost no more than a check. A piece that is not
// what it should be ends the trust: all of it is checked.
import type { DiskFailures } from '../disk-failures.js';
import { matches } from '../download/piece-verifier.js';
import type { ErrorState } from '../error-state.js';
import type { Content } from '../files/content.js';
import type { TorrentProgress } from '../pieces/progress.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import type { TorrentServices } from '../session-interface.js';
import { isOnline, type Activity } from '../state.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import type { Recheck } from './recheck.js';

/** The torrent, all of it as it is when it is asked. */
export interface PieceProofsDeps {
  readonly services: Pick<TorrentServices, 'hasher' | 'proofTurns' | 'log'>;
  readonly record: Pick<TorrentRecord, 'row' | 'onPiecesChanged'>;
  readonly progress: Pick<TorrentProgress, 'trusted' | 'onProven'>;
  readonly swarmManager: Pick<SwarmManager, 'content' | 'holdContent' | 'releaseContent' | 'swarm'>;
  readonly recheck: Pick<Recheck, 'demand'>;
  readonly errorState: Pick<ErrorState, 'error'>;
  readonly diskFailures: Pick<DiskFailures, 'onFailed' | 'onReadFailed'>;
  readonly activity: Activity;
  readonly isMoving: boolean;
  readonly hasEnded: boolean;
  /** A fact that decides what the torrent does is changed within `mutate`. */
  change(mutate: () => void): void;
  saveSoon(): void;
  /** The piece may be had by whoever waits for it. */
  onPieceThere(): void;
}

export class PieceProofs {
  readonly #wanted = new Set<number>();
  #isRunning = false;

  constructor(private readonly deps: PieceProofsDeps) {}

  /** Has a piece hashed that is trusted, after those that were asked for before. */
  want(piece: number): void {
    this.#wanted.add(piece);
    if (!this.#isRunning) void this.#run();
  }

  /** Has pieces hashed that are trusted and that nobody asks for, one at least; their bytes. 0: it serves nobody now. */
  scrub(maxBytes: number): number {
    const { progress, record, errorState, activity, isMoving } = this.deps;
    if (this.#isRunning || isMoving || errorState.error || !isOnline(activity)) return 0;
    const pieceBytes = record.row.summary?.pieceLength ?? 0;
    const pieces = progress.trusted?.length ?? 0;
    let bytes = 0;
    for (let piece = 0; piece < pieces && bytes < maxBytes; piece++) {
      if (!this.#isTrusted(piece)) continue;
      this.want(piece);
      bytes += pieceBytes;
    }
    return bytes;
  }

  /** Pieces are being hashed. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  async #run(): Promise<void> {
    const { swarmManager } = this.deps;
    this.#isRunning = true;
    swarmManager.holdContent(true);
    try {
      for (const piece of this.#wanted) {
        this.#wanted.delete(piece);
        if (!(await this.#prove(piece))) break;
      }
    } catch (error) {
      if (!this.deps.hasEnded) this.deps.diskFailures.onReadFailed(error);
    } finally {
      // Whoever still waits asks again when the torrent goes on.
      this.#wanted.clear();
      this.#isRunning = false;
      swarmManager.holdContent(false);
      swarmManager.releaseContent();
    }
  }

  /** False where nothing more is to be looked at. */
  async #prove(piece: number): Promise<boolean> {
    const content = this.#isTrusted(piece) ? this.deps.swarmManager.content() : null;
    if (!content) return !this.deps.hasEnded;
    const { services, record } = this.deps;
    const digest = await services.proofTurns.run(record.row.ownerId, () => this.#hash(content, piece));
    const isRight = matches(content.info, piece, digest);
    // It may have been checked or removed meanwhile.
    if (this.deps.hasEnded || !this.#isTrusted(piece)) return !this.deps.hasEnded;
    if (isRight) this.#onProven(piece);
    else this.#onDisproven(piece);
    return isRight;
  }

  /** The piece may go out. */
  #onProven(piece: number): void {
    const { progress, record, swarmManager } = this.deps;
    progress.onProven(piece);
    record.onPiecesChanged();
    this.deps.saveSoon();
    swarmManager.swarm?.onProven();
    this.deps.onPieceThere();
  }

  /** Nothing is served from here on until all of it has been checked. */
  #onDisproven(piece: number): void {
    const { services, record, recheck, diskFailures } = this.deps;
    services.log.warn('files that were trusted are others', { torrent: record.row.id, piece });
    let asked = Promise.resolve();
    this.deps.change(() => (asked = recheck.demand('all', 'doubt')));
    asked.catch((error: unknown) => diskFailures.onFailed(error));
  }

  #isTrusted(piece: number): boolean {
    return !this.deps.hasEnded && (this.deps.progress.trusted?.has(piece) ?? false);
  }

  async #hash({ storage }: Content, piece: number): Promise<Uint8Array | null> {
    const spans = await storage.pinSpans(piece, 1);
    try {
      return (await this.deps.services.hasher.hashPieces(spans.pieces))[0] ?? null;
    } finally {
      spans.release();
    }
  }
}
