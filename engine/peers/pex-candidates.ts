// Which of the addresses that a peer sends us (BEP 11) are worth knowing. Pure; those we already know, are connected
// to or are ourselves, `KnownPeers` and the connections sort out.
import ipaddr from 'ipaddr.js';
import type { PeerAddress } from '../ports.js';
import type { PexPeer } from '../wire/pex-extension.js';
import { isConnectable } from './address.js';

/** Ranges that mean another machine to every network. */
const LOCAL_RANGES: ReadonlySet<string> = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal']);

/** Local addresses only from a local peer, as libtorrent does: a stranger's would lead into our own network. */
export function pexCandidates(added: readonly PexPeer[], sender: PeerAddress): PeerAddress[] {
  const fromLocal = isLocal(sender);
  return added
    .map(({ address }) => address)
    .filter((address) => isConnectable(address) && (fromLocal || !isLocal(address)));
}

function isLocal({ host }: PeerAddress): boolean {
  return LOCAL_RANGES.has(ipaddr.process(host).range());
}
