// What keeps torrents from running: their disks, their errors, their trackers, and feeds that fail.
import type { FeedDto } from '../../shared-protocol/dto/rss.js';
import type { StorageDto } from '../../shared-protocol/dto/storage.js';
import type { TorrentDto } from '../../shared-protocol/dto/torrents.js';
import type { ApiClient } from '../daemon/api-client.js';
import { listTorrents } from '../daemon/torrents.js';
import { bytes } from '../output/quantities.js';
import type { Finding } from './finding.js';

const GIB = 1024 ** 3;
const LITTLE_ROOM_BYTES = GIB;

const ADVICE: Readonly<Record<string, string>> = {
  DISK_FULL: 'make room, or move torrents to another disk; they go on by themselves',
  FILES_MISSING: 'mount the disk or put the files back; a recheck finds them',
  FILE_ACCESS_DENIED: 'let the user of the daemon write there (chown, or ReadWritePaths= of the unit)',
  QUOTA_EXCEEDED: 'raise the quota of the account, or remove torrents',
};

export async function lookAtTorrents(api: ApiClient): Promise<readonly Finding[]> {
  const torrents = await listTorrents(api);
  const storage = await api.call<StorageDto>('GET', '/api/storage');
  const feeds = await api.call<readonly FeedDto[]>('GET', '/api/feeds');
  return [...disks(storage), ...errors(torrents), ...trackers(torrents), ...failingFeeds(feeds)];
}

function disks({ volumes }: StorageDto): Finding[] {
  return volumes.map(({ free_bytes: free, total_bytes: total, paths }) => {
    const what = `disk of ${paths[0] ?? 'torrents'}`;
    if (free === null || total === null) {
      return { what, how: 'wrong', found: 'it does not answer', advice: 'look at its mount: a network disk may hang' };
    }
    const advice = 'downloads wait once it is full';
    const found = `${bytes(free)} of ${bytes(total)} free`;
    return { what, how: free < LITTLE_ROOM_BYTES ? 'worth' : 'fine', found, advice };
  });
}

function errors(torrents: readonly TorrentDto[]): Finding[] {
  const byCode = grouped(
    torrents.flatMap(({ error, name }) => (error ? [{ key: error.code, name, message: error.message }] : [])),
  );
  if (byCode.length === 0) return [{ what: 'torrents', how: 'fine', found: `${torrents.length}, none with an error` }];
  return byCode.map(([code, those]) => ({
    what: 'torrents',
    how: 'wrong',
    found: `${those.length} with ${code}, as ${those[0]!.name}: ${those[0]!.message}`,
    advice: ADVICE[code] ?? 'swarmd show NAME tells more',
  }));
}

function trackers(torrents: readonly TorrentDto[]): Finding[] {
  const failing = torrents.flatMap(({ tracker_error: error, name }) =>
    error ? [{ key: `${error.host} ${error.code}`, name, message: error.message }] : [],
  );
  return grouped(failing).map(([key, those]) => ({
    what: `tracker ${key.split(' ')[0]}`,
    how: 'worth',
    found: `${those.length} torrents, as ${those[0]!.name}: ${those[0]!.message}`,
    advice: key.endsWith('UNREGISTERED')
      ? 'the tracker has deleted them, or knows this passkey no more'
      : 'it may be down, or out of reach of this machine (VPN, firewall, DNS)',
  }));
}

function failingFeeds(feeds: readonly FeedDto[]): Finding[] {
  return feeds
    .filter(({ failing, enabled }) => failing && enabled)
    .map(({ name, url }) => ({
      what: 'feed',
      how: 'worth',
      found: `${name || url}: its last refresh failed`,
      advice: 'the page of the feed says why',
    }));
}

interface Grouped {
  readonly key: string;
  readonly name: string;
  readonly message: string;
}

/** The largest group first. */
function grouped(items: readonly Grouped[]): [key: string, items: readonly Grouped[]][] {
  const groups = new Map<string, Grouped[]>();
  for (const item of items) groups.set(item.key, [...(groups.get(item.key) ?? []), item]);
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}
