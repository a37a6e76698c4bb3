// A torrent of the administrator's, complete with everything a list shows, to change in what a test is about.
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../shared-protocol/library-record.js';
import type { ListedTorrent } from '../../api/services/library/shares.js';

export function factsOf(change: Partial<ListedTorrent> = {}): ListedTorrent {
  return {
    id: parseInfoHash('1'.padStart(40, '0')),
    row: 0,
    rowTag: 1,
    name: 'Sample "1" ☃',
    trackers: 'udp://tracker.example:1337/announce\nhttps://private.example/0123456789abcdef0123456789abcdef/announce',
    savePath: '/files',
    totalBytes: 1_000,
    isPrivate: false,
    hasMetadata: true,
    metadataBytes: 100,
    addedAt: 1_700_000_000,
    completedAt: null,
    ownerId: ADMIN_ACCOUNT_ID,
    library: NEW_LIBRARY_RECORD,
    error: null,
    ...change,
  };
}
