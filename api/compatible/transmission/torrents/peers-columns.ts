// The peers that a torrent is connected to, how it learnt of them, and its web seeds.
import type { PeerDetail } from '../../../../shared-protocol/commands/details.js';
import type { PeerFlagFacts, PeerSource } from '../../../../shared-protocol/peer-facts.js';
import { maskUrl } from '../../../../shared-protocol/masking.js';
import { mayEdit, type Columns, type View } from './view.js';

const COUNTED_AS = {
  tracker: 'fromTracker',
  dht: 'fromDht',
  pex: 'fromPex',
  lsd: 'fromLpd',
  incoming: 'fromIncoming',
  manual: 'fromCache',
  magnet: 'fromCache',
  resume: 'fromCache',
} as const satisfies Readonly<Record<PeerSource, string>>;

const peers = () => 'peers' as const;
const webSeeds = () => 'webSeeds' as const;

export const peersColumns = {
  peers: { needs: peers, of: (view) => peersOf(view).map(peerObject) },
  peersFrom: { needs: peers, of: (view) => countSources(peersOf(view)) },
  peersGettingFromUs: { needs: peersOfBusy, of: (view) => countPeers(view, isGetting) },
  peersSendingToUs: { needs: peersOfBusy, of: (view) => countPeers(view, isSending) },
  webseeds: { needs: webSeeds, of: webSeedsOf },
  webseedsSendingToUs: { needs: webSeeds, of: countWebSeeds },
} as const satisfies Columns;

/** Through one that moves nothing no peer is looked at. */
function peersOfBusy({ stats }: View): 'peers' | null {
  return stats.downloadRate > 0 || stats.uploadRate > 0 ? 'peers' : null;
}

function peersOf({ details }: View): readonly PeerDetail[] {
  return details.peers ?? [];
}

function countPeers(view: View, counts: (facts: PeerFlagFacts) => boolean): number {
  return peersOfBusy(view) ? peersOf(view).filter(({ facts }) => counts(facts)).length : 0;
}

function webSeedsOf(view: View): string[] {
  const urls = (view.details.webSeeds ?? []).map(({ url }) => url);
  return mayEdit(view) ? urls : urls.map((url) => maskUrl(url));
}

function countWebSeeds({ details }: View): number {
  return (details.webSeeds ?? []).filter(({ downloadRate }) => downloadRate > 0).length;
}

/** Peers are always reached by TCP. */
function peerObject({ host, port, client, flags, facts, progress, downloadRate, uploadRate }: PeerDetail) {
  return {
    address: host,
    clientIsChoked: facts.chokesUs,
    clientIsInterested: facts.weAreInterested,
    clientName: client,
    flagStr: flags,
    isDownloadingFrom: isSending(facts),
    isEncrypted: facts.encryption === 'rc4',
    isIncoming: facts.incoming,
    isUTP: false,
    isUploadingTo: isGetting(facts),
    peerIsChoked: facts.choked,
    peerIsInterested: facts.interested,
    port,
    progress,
    rateToClient: Math.round(downloadRate),
    rateToPeer: Math.round(uploadRate),
  };
}

function isSending({ weAreInterested, chokesUs }: PeerFlagFacts): boolean {
  return weAreInterested && !chokesUs;
}

function isGetting({ interested, choked }: PeerFlagFacts): boolean {
  return interested && !choked;
}

/** Each peer counts once, by the first of its sources that has a count of its own. */
function countSources(list: readonly PeerDetail[]) {
  const counts = { fromCache: 0, fromDht: 0, fromIncoming: 0, fromLpd: 0, fromLtep: 0, fromPex: 0, fromTracker: 0 };
  for (const { facts } of list) {
    const source = facts.incoming ? 'incoming' : facts.sources[0];
    counts[(source && COUNTED_AS[source]) ?? 'fromCache']++;
  }
  return counts;
}
