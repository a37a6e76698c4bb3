// torrents/*: where a torrent finds its peers.
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import { MAX_TRACKERS } from '../../../../shared-protocol/torrent-bounds.js';
import { RequestError } from '../../../errors.js';
import { refOf } from '../../../services/library/shares.js';
import { isTrackerUrl } from '../../tracker-url.js';
import { changing, type Answer, type Call, type RouteTable } from '../row.js';
import { idsWithAccess } from '../../selection.js';
import { changeMany, changeOne, oneNamed } from './named.js';

const EVERY_TORRENT = '*';

export const trackerRoutes = {
  'torrents/addTrackers': changing((call) => {
    const urls = call.fields
      .required('urls')
      .split('\n')
      .map((url) => url.trim())
      .filter((url) => url !== '');
    if (urls.length > MAX_TRACKERS) throw new RequestError('BODY_INVALID', `urls: at most ${MAX_TRACKERS}`);
    urls.forEach((url) => assertTracker(url, 'urls'));
    return changeOne(call, async ({ services, share, principal }) => {
      for (const url of urls) await services.torrentTrackers.add(share, url, principal.account);
    });
  }),
  'torrents/editTracker': changing(edit),
  'torrents/removeTrackers': changing(remove),
  'torrents/addWebSeeds': changing(refuseWebSeeds),
  'torrents/editWebSeed': changing(refuseWebSeeds),
  'torrents/removeWebSeeds': changing(refuseWebSeeds),
} as const satisfies RouteTable;

/** `url` is another name of `origUrl`, of WebAPI 2.13. It keeps its place in its tier. */
function edit(call: Call): Promise<Answer> {
  const { fields } = call;
  const from = (fields.text('url') || fields.required('origUrl')).trim();
  const to = (fields.text('newUrl') ?? '').trim();
  const url = to === '' ? from : to;
  assertTracker(url, 'newUrl');
  return changeOne(call, async ({ services, principal, torrent }) => {
    // Also of an administrator: tiers are those of one share.
    const share = refOf(torrent);
    const trackers = await services.torrentTrackers.list(share);
    if (!trackers.some((tracker) => tracker.url === from))
      throw new RequestError('CONFLICT', 'origUrl: no such tracker');
    if (url === from) return;
    if (trackers.some((tracker) => tracker.url === url))
      throw new RequestError('CONFLICT', 'newUrl: it is there already');
    const tiers: string[][] = [];
    for (const { url: known, tier } of trackers) (tiers[tier] ??= []).push(known === from ? url : known);
    await services.torrentTrackers.setTiers(
      share,
      Array.from(tiers, (tier) => tier ?? []),
      principal.account,
    );
  });
}

/** `hash` may be `*`: all torrents that the caller may edit, as in WebAPI 2.11. */
function remove(call: Call): Promise<Answer> {
  call.fields.required('urls');
  const urls = new Set(call.fields.list('urls', '|'));
  if (call.fields.required('hash') === EVERY_TORRENT) return removeEverywhere(call, urls);
  return changeOne(call, async ({ services, share }) => {
    const known = (await services.torrentTrackers.list(share)).filter(({ url }) => urls.has(url));
    if (known.length === 0) throw new RequestError('CONFLICT', 'urls: the torrent has none of these trackers');
    for (const { url } of known) await services.library.removeTracker(share, url);
  });
}

function removeEverywhere(call: Call, urls: ReadonlySet<string>): Promise<Answer> {
  const { library } = call.services;
  const trackersOf = (id: TorrentId) => library.find(id)?.trackers.split('\n') ?? [];
  const ids = idsWithAccess(call, 'editor').filter((id) => trackersOf(id).some((url) => urls.has(url)));
  return changeMany(call, ids, async ({ services, share, torrent }) => {
    const known = torrent.trackers.split('\n').filter((url) => urls.has(url));
    for (const url of known) await services.library.removeTracker(share, url);
  });
}

/** @throws RequestError `BODY_INVALID` */
function assertTracker(url: string, field: string): void {
  if (!isTrackerUrl(url)) {
    throw new RequestError('BODY_INVALID', `${field}: expected http, https or udp addresses`);
  }
}

/** @throws RequestError `CONFLICT`, `NOT_FOUND` */
function refuseWebSeeds(call: Call): Answer {
  oneNamed(call);
  throw new RequestError('CONFLICT', 'the web seeds of a torrent are those that it was added with');
}
