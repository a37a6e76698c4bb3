// `sync/torrentPeers`: the connected peers of a torrent as qBittorrent shows them, in full or as what changed since a version
// that the account was told of the same torrent.
import type { PeerDetail } from '../../../../shared-protocol/commands/details.js';
import type { AccountId, TorrentId } from '../../../../shared-protocol/ids.js';
import type { Countries } from '../../../services/library/countries.js';
import { changedFields } from '../objects/object-delta.js';
import { peerObject, type PeerObject } from './peer-object.js';
import { Versions } from './versions.js';

/** Over all accounts: each holds the peers of one torrent. */
const MAX_VERSIONS = 64;

interface Told {
  readonly account: AccountId;
  readonly id: TorrentId;
  readonly peers: ReadonlyMap<string, PeerObject>;
}

export interface PeersAnswer {
  readonly rid: number;
  readonly full_update?: true;
  readonly show_flags: true;
  readonly peers?: Readonly<Record<string, Partial<PeerObject>>>;
  readonly peers_removed?: readonly string[];
}

export class PeerVersions {
  readonly #versions = new Versions<Told>(MAX_VERSIONS);

  /** `rid`: of the answer that the client has; all of them where that is not known. */
  answer(
    { account, id }: Pick<Told, 'account' | 'id'>,
    rid: number,
    details: readonly PeerDetail[],
    countries: Countries,
  ): PeersAnswer {
    const peers = new Map(details.map((peer) => [addressOf(peer), peerObject(peer, countries)]));
    const before = this.#versions.find(rid);
    const next = this.#versions.add({ account, id, peers });
    if (before?.account !== account || before.id !== id) {
      return { rid: next, full_update: true, show_flags: true, peers: Object.fromEntries(peers) };
    }
    return { rid: next, show_flags: true, ...difference(before.peers, peers) };
  }
}

function difference(
  before: ReadonlyMap<string, PeerObject>,
  after: ReadonlyMap<string, PeerObject>,
): Pick<PeersAnswer, 'peers' | 'peers_removed'> {
  const changed: Record<string, Partial<PeerObject>> = {};
  for (const [address, peer] of after) {
    const was = before.get(address);
    const fields = was ? changedFields(was, peer) : peer;
    if (Object.keys(fields).length > 0) changed[address] = fields;
  }
  const removed = [...before.keys()].filter((address) => !after.has(address));
  return {
    ...(Object.keys(changed).length > 0 && { peers: changed }),
    ...(removed.length > 0 && { peers_removed: removed }),
  };
}

function addressOf({ host, port }: PeerDetail): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
