// The peers that a torrent is connected to, and how it learnt of them.
import type { PeerDetail } from '../../../../shared-protocol/commands.js';
import type { Columns, View } from './view.js';

const peers = () => 'peers' as const;

export const peersColumns = {
  peers: { needs: peers, of: (view) => peersOf(view).map(peerObject) },
  peersFrom: { needs: peers, of: (view) => countSources(peersOf(view)) },
  peersGettingFromUs: { needs: peersOfBusy, of: (view) => countFlag(view, 'U') },
  peersSendingToUs: { needs: peersOfBusy, of: (view) => countFlag(view, 'D') },
  webseedsSendingToUs: { of: () => 0 },
} as const satisfies Columns;

/** Through one that moves nothing no peer is looked at. */
function peersOfBusy({ stats }: View): 'peers' | null {
  return stats.downloadRate > 0 || stats.uploadRate > 0 ? 'peers' : null;
}

function peersOf({ details }: View): readonly PeerDetail[] {
  return details.peers ?? [];
}

function countFlag(view: View, flag: string): number {
  return peersOfBusy(view) ? peersOf(view).filter(({ flags }) => flags.includes(flag)).length : 0;
}

function peerObject({ host, port, client, flags, progress, downloadRate, uploadRate }: PeerDetail) {
  const has = (...letters: readonly string[]) => letters.some((letter) => flags.includes(letter));
  return {
    address: host,
    clientIsChoked: !has('D', 'K'),
    clientIsInterested: has('D', 'd'),
    clientName: client,
    flagStr: flags,
    isDownloadingFrom: has('D'),
    isEncrypted: has('E'),
    isIncoming: has('I'),
    isUTP: has('P'),
    isUploadingTo: has('U'),
    peerIsChoked: !has('U', '?'),
    peerIsInterested: has('U', 'u'),
    port,
    progress,
    rateToClient: Math.round(downloadRate),
    rateToPeer: Math.round(uploadRate),
  };
}

/** Each peer counts once; one of which nothing else is known came from a tracker. */
function countSources(list: readonly PeerDetail[]) {
  const counts = { fromCache: 0, fromDht: 0, fromIncoming: 0, fromLpd: 0, fromLtep: 0, fromPex: 0, fromTracker: 0 };
  for (const { flags } of list) {
    if (flags.includes('I')) counts.fromIncoming++;
    else if (flags.includes('H')) counts.fromDht++;
    else if (flags.includes('X')) counts.fromPex++;
    else if (flags.includes('L')) counts.fromLpd++;
    else counts.fromTracker++;
  }
  return counts;
}
