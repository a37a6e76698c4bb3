// What the session is to its torrents: they tell it what they are doing and what they wait for, and each of its parts
// hears of what is its own.
import type { KeepFile } from '../disk/types.js';
import type { Claims, ClaimingTorrent } from '../claims/index.js';
import type { SessionTorrent, TorrentHost } from '../torrent/session-interface.js';
import type { CheckQueue } from './check-queue.js';
import type { Dialer } from './dialer.js';
import type { MoveQueue } from './move-queue.js';
import type { Networking } from './networking.js';
import type { Removals } from './removals.js';
import type { ResumeSaver } from './resume-saver.js';
import { filesSharedWith } from './shared-files.js';
import type { Torrents } from './torrents.js';
import type { UnchokeTimer } from './unchoke-timer.js';

export interface HostDeps {
  readonly torrents: Torrents;
  readonly claims: Claims;
  readonly checks: CheckQueue;
  readonly moves: MoveQueue;
  readonly removals: Removals;
  readonly resumeSaver: ResumeSaver;
  readonly dialer: Pick<Dialer, 'setSeeking'>;
  readonly unchokeTimer: Pick<UnchokeTimer, 'soon'>;
  readonly networking: Pick<Networking, 'onExternalAddress'>;
  /** A fact of a torrent that is here has changed. */
  onChanged(torrent: SessionTorrent): void;
}

export class Host implements TorrentHost {
  /** Torrents that have connections or content to look after each second. */
  readonly awake = new Set<SessionTorrent>();
  /** Torrents that look again in a while whether their trouble is over. */
  readonly troubled = new Set<SessionTorrent>();
  #connections = 0;
  #halfOpen = 0;

  constructor(private readonly deps: HostDeps) {}

  /** Connections of all torrents, half-open ones included. */
  get connections(): number {
    return this.#connections;
  }

  get halfOpen(): number {
    return this.#halfOpen;
  }

  onFactsChanged(torrent: SessionTorrent): void {
    if (this.deps.torrents.isHere(torrent)) this.deps.onChanged(torrent);
  }

  setAwake(torrent: SessionTorrent, awake: boolean): void {
    if (awake) this.awake.add(torrent);
    else this.awake.delete(torrent);
  }

  setSeeking(torrent: SessionTorrent, seeking: boolean): void {
    this.deps.dialer.setSeeking(torrent, seeking);
  }

  queueCheck(torrent: SessionTorrent): void {
    this.deps.checks.add(torrent);
  }

  queueAudit(torrent: SessionTorrent): void {
    this.deps.checks.addAudit(torrent);
  }

  cancelCheck(torrent: SessionTorrent): void {
    this.deps.checks.remove(torrent);
  }

  queueMove(torrent: SessionTorrent): void {
    this.deps.moves.add(torrent);
  }

  cancelMove(torrent: SessionTorrent): void {
    this.deps.moves.remove(torrent);
  }

  switchPlace(torrent: SessionTorrent, mutate: () => void): void {
    const { claims, torrents } = this.deps;
    claims.remove(torrent);
    mutate();
    if (torrents.isHere(torrent)) claims.add(torrent);
  }

  filesOfOthers(
    torrent: ClaimingTorrent,
    savePath: string,
    topNames: readonly string[] | null = torrent.topNames,
  ): KeepFile {
    const { claims, torrents } = this.deps;
    const { id, ownerId, isShared, incompleteSuffix } = torrent;
    const place = { id, ownerId, isShared, topNames, savePath, incompleteSuffix };
    const others = [...claims.neighbours(place)].flatMap((other) => torrents.get(other.id) ?? []);
    return filesSharedWith(place, others, (path) => claims.realPath(path));
  }

  whileRemoving(savePath: string, work: Promise<void>): Promise<void> {
    return this.deps.removals.while(savePath, work);
  }

  markDirty(torrent: SessionTorrent, writtenBytes: number): void {
    // One that was removed may still be writing.
    if (this.deps.torrents.isHere(torrent)) this.deps.resumeSaver.markDirty(torrent, writtenBytes);
  }

  watchTrouble(torrent: SessionTorrent, troubled: boolean): void {
    if (troubled) this.troubled.add(torrent);
    else this.troubled.delete(torrent);
  }

  onInterestChanged(): void {
    this.deps.unchokeTimer.soon();
  }

  onExternalAddress(address: string, voter: string): void {
    this.deps.networking.onExternalAddress(address, voter);
  }

  onConnectionsChanged(delta: 1 | -1): void {
    this.#connections += delta;
  }

  onHalfOpenChanged(delta: 1 | -1): void {
    this.#halfOpen += delta;
  }
}
