// What stands in a library for a torrent that nobody has: plausible lengths of name, magnet and path. Seeded by whoever
// gives the info hash.
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { NEW_LIBRARY_RECORD } from '../../shared-protocol/library-record.js';

export const GIB = 1024 ** 3;

export interface MadeTorrent extends Pick<TorrentFacts, 'id' | 'ownerId' | 'row' | 'rowTag'> {
  /** Its number, which its name shows. */
  readonly index: number;
  /** Without a scheme. */
  readonly trackerHost: string;
  readonly library?: Partial<TorrentFacts['library']>;
}

export function madeFacts({ index, trackerHost, library = {}, ...given }: MadeTorrent): TorrentFacts {
  const name = `Some.Collection.of.Files.${index}.2024.1080p-GROUP`;
  const trackers = [`udp://${trackerHost}:1337/announce`, `https://${trackerHost}/${given.id}/announce`];
  return {
    ...given,
    name,
    trackers: trackers.join('\n'),
    savePath: '/srv/downloads/complete',
    totalBytes: GIB,
    isPrivate: false,
    hasMetadata: true,
    metadataBytes: 1_000,
    addedAt: 1_700_000_000 + index,
    completedAt: null,
    library: { ...NEW_LIBRARY_RECORD, ...library },
    error: null,
  };
}
