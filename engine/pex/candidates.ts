// Which of the addresses that a peer sends us (BEP 11) are worth knowing. Pure; those we already know, are connected
// to or are ourselves, `KnownPeers` and the connections sort out.
import type { PeerAddress } from '../environment.js';
import type { PexPeer } from './extension.js';
import { isConnectable, isLocalHost } from '../net/address.js';

/** Local addresses only from a local peer, as libtorrent does: a stranger's would lead into our own network. */
export function pexCandidates(added: readonly PexPeer[], sender: PeerAddress): PeerAddress[] {
  const fromLocal = isLocalHost(sender.host);
  return added
    .map(({ address }) => address)
    .filter((address) => isConnectable(address) && (fromLocal || !isLocalHost(address.host)));
}
