// `sync/maindata`: everything a page of qBittorrent shows, in full or as what changed since a version the client has. Put
// together of texts that are kept, in parts, so that a long list is never one piece.
import type { SliceClock } from '../../../../shared-protocol/slices.js';
import { StreamedBody } from '../../../routes/streamed-body.js';
import { inSlices } from '../../../torrent-list/in-slices.js';
import { changedFields, deltaBetween } from '../objects/object-delta.js';
import type { ObjectMoment } from '../objects/object-list.js';
import { trackersDelta, trackersJson, trackersOf } from '../objects/trackers.js';
import type { ServerState } from './server-state.js';
import type { SyncLabels } from './sync-labels.js';

/** Everything that one answer told, with which the next one is compared. Never changed. */
export interface MainData {
  readonly moment: ObjectMoment;
  readonly labels: SyncLabels;
  readonly state: ServerState;
}

/** All there is. */
export async function fullMainData(rid: number, { moment, labels, state }: MainData, clock: SliceClock) {
  const parts: Buffer[] = [Buffer.from(`{"rid":${rid},"full_update":true,"torrents":{`)];
  await inSlices(moment.chunks, (chunk) => void parts.push(chunk.bytes(moment.now)), clock);
  // Each chunk begins with a comma; the first has nothing before it.
  if (parts[1]) parts[1] = parts[1].subarray(1);
  const trackers = await trackersJson(await trackersOf(moment, clock), clock);
  const { categories, tags } = labels;
  const rest = JSON.stringify({ categories, tags, server_state: state });
  const before = Buffer.from(`},${rest.slice(1, -1)},"trackers":`);
  return new StreamedBody([...parts, before, ...trackers, Buffer.from('}')]);
}

/** The difference of `after`; fields in which nothing is different are left out, as in qBittorrent. */
export async function changedMainData(rid: number, before: MainData, after: MainData, clock: SliceClock) {
  const torrents = await deltaBetween(before.moment, after.moment, clock);
  const trackers = await trackersDelta(torrents, after.moment, clock);
  const rest = {
    ...(torrents.removed.length > 0 && { torrents_removed: torrents.removed }),
    ...labelsDelta(before.labels, after.labels),
    ...(trackers.removed.length > 0 && { trackers_removed: trackers.removed }),
    ...notEmpty('server_state', changedFields(before.state, after.state)),
  };
  const changed = [...torrents.changed].map(([id, text]) => `"${id}":${text}`);
  const listed = changed.length > 0 ? `,"torrents":{${changed.join(',')}}` : '';
  const others = JSON.stringify(rest).slice(1, -1);
  const known = Buffer.from(`{"rid":${rid}${listed}${others && `,${others}`}`);
  if (trackers.changed.size === 0) return new StreamedBody([known, Buffer.from('}')]);
  const told = await trackersJson(trackers.changed, clock);
  return new StreamedBody([known, Buffer.from(',"trackers":'), ...told, Buffer.from('}')]);
}

function labelsDelta(before: SyncLabels, after: SyncLabels): object {
  if (before === after) return {};
  const [was, is] = [before.categories, after.categories];
  const isOther = (name: string): boolean => JSON.stringify(was[name]) !== JSON.stringify(is[name]);
  const categories = Object.fromEntries(Object.entries(is).filter(([name]) => isOther(name)));
  const [had, has] = [new Set(before.tags), new Set(after.tags)];
  return {
    ...notEmpty('categories', categories),
    ...notEmpty(
      'categories_removed',
      Object.keys(was).filter((name) => !Object.hasOwn(is, name)),
    ),
    ...notEmpty(
      'tags',
      after.tags.filter((name) => !had.has(name)),
    ),
    ...notEmpty(
      'tags_removed',
      before.tags.filter((name) => !has.has(name)),
    ),
  };
}

function notEmpty(name: string, value: object): object {
  return Object.keys(value).length > 0 ? { [name]: value } : {};
}
