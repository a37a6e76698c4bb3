// Carries out what `trust-points.ts` finds out about a torrent's peers: tells the picker who is on parole, has offenders
// banned for the session, and cuts off peers that are banned, in whichever torrent the offence was.
import type { TorrentWaste } from '../../../shared-protocol/commands/details.js';
import { parsePeerId, type TorrentId } from '../../../shared-protocol/ids.js';
import type { BanSubject } from '../../peers/ban-list.js';
import type { PeerKey, PiecePicker } from '../../picker/types.js';
import type { PieceJudge } from '../download/download.js';
import type { Peer } from '../peer/peer.js';
import type { BanWatcher, TorrentServices } from '../session-interface.js';
import { TrustPoints, type BanGround, type Outcome } from './trust-points.js';

interface Identity {
  readonly subject: BanSubject;
  readonly webSeedUrl: string | null;
}

/** The torrent's connections, and its download if it has one. */
export interface JudgedSwarm {
  readonly peers: ReadonlyMap<PeerKey, Peer>;
  readonly download: { readonly picker: Pick<PiecePicker, 'setParole'> } | null;
}

export interface BanEnforcerDeps {
  readonly id: TorrentId;
  readonly services: Pick<TorrentServices, 'peerFilter' | 'log'>;
  readonly swarm: () => JudgedSwarm | null;
  /** Not to be connected to again, connected or not. */
  readonly onWebSeedBanned: (url: string) => void;
}

export class BanEnforcer implements PieceJudge, BanWatcher {
  readonly #trust = new TrustPoints<Identity>();
  #failedPieces = 0;
  #failedBytes = 0;
  #redundantBytes = 0;

  constructor(private readonly deps: BanEnforcerDeps) {}

  /** Downloads of the torrent that came for nothing since the engine started. */
  get waste(): TorrentWaste {
    return { failedPieces: this.#failedPieces, failedBytes: this.#failedBytes, redundantBytes: this.#redundantBytes };
  }

  join(peer: Peer): boolean {
    const who = identityOf(peer);
    const { host } = who.subject.address;
    const name = who.webSeedUrl ?? `${peer.peerId}@${host}`;
    const isSuspicious = who.webSeedUrl === null && this.deps.services.peerFilter.hasOffended(host);
    return this.#trust.join(peer.key, who, name, isSuspicious);
  }

  leave(peer: Peer): void {
    this.#trust.leave(peer.key, peer.down.total > 0);
  }

  isAwaiting(piece: number): boolean {
    return this.#trust.isAwaiting(piece);
  }

  onPieceFailed(piece: number, length: number, senders: Int32Array, digests: Uint8Array | null): void {
    const { id, services } = this.deps;
    services.log.debug('piece failed its hash', { torrent: id, piece, sources: new Set(senders).size });
    services.peerFilter.onPieceFailed(length);
    this.#failedPieces++;
    this.#failedBytes += length;
    this.#carryOut(this.#trust.onPieceFailed(piece, senders, digests));
  }

  onPiecePassed(piece: number, sources: readonly PeerKey[], digests: Uint8Array | null): void {
    this.#carryOut(this.#trust.onPiecePassed(piece, sources, digests));
  }

  onRedundant(bytes: number): void {
    this.#redundantBytes += bytes;
  }

  /** Cuts off banned peers: there is a ban more, of this torrent or another. */
  onBanned(): void {
    const { peerFilter } = this.deps.services;
    for (const peer of [...(this.deps.swarm()?.peers.values() ?? [])]) {
      const { subject, webSeedUrl } = identityOf(peer);
      const { remote } = peer.connection;
      const isBanned =
        webSeedUrl === null
          ? peerFilter.isBanned({ ...subject, address: peer.listenAddress ?? remote }) || peerFilter.isBanned(subject)
          : peerFilter.isBannedWebSeed(webSeedUrl);
      if (isBanned) peer.connection.close(webSeedUrl === null ? 'BANNED' : 'BAD_DATA');
    }
  }

  #carryOut({ proven, changed, verdicts }: Outcome<Identity>): void {
    const { peerFilter } = this.deps.services;
    for (const { who } of proven) if (who.webSeedUrl === null) peerFilter.onGoodPeer(who.subject);
    for (const { key, onParole } of changed) this.deps.swarm()?.download?.picker.setParole(key, onParole);
    for (const { suspect, ground } of verdicts) this.#ban(suspect.key, suspect.who, ground);
  }

  #ban(key: PeerKey, { subject, webSeedUrl }: Identity, ground: BanGround): void {
    const { peerFilter } = this.deps.services;
    this.deps.swarm()?.peers.get(key)?.connection.close('BAD_DATA');
    if (webSeedUrl === null) return peerFilter.ban(subject, 'bad-data', ground);
    this.deps.onWebSeedBanned(webSeedUrl);
    peerFilter.banWebSeed(webSeedUrl, ground);
  }
}

function identityOf({ connection, peerId, webSeedUrl }: Peer): Identity {
  const { direction, remote } = connection;
  // At the port that a connection came from no peer listens, and where it says that it listens may be another peer.
  const address = direction === 'outgoing' ? remote : { ...remote, port: 0 };
  return { subject: { address, peerId: peerId === '' ? null : parsePeerId(peerId) }, webSeedUrl };
}
