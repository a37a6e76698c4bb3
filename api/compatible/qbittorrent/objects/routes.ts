// torrents/info and torrents/count: the torrents that the caller is shown.
import { Reply } from '../../../routes/reply.js';
import { StreamedBody } from '../../../routes/streamed-body.js';
import { inSlices } from '../../../torrent-list/in-slices.js';
import { findTorrent, torrentsOf } from '../../selection.js';
import { text } from '../answers.js';
import { reading, type Answer, type Call, type RouteTable } from '../row.js';
import type { ObjectEntry } from './object-entry.js';
import { withDetails } from './details.js';
import { conditionsOf, rangeOf, sortingOf } from './wanted.js';

/** Objects that are one part of an answer: 40 KB. */
const IN_A_PART = 24;

export const objectRoutes = {
  'torrents/info': reading(info),
  'torrents/count': reading((call) => text(String(torrentsOf(call).length))),
} as const satisfies RouteTable;

async function info(call: Call): Promise<Answer> {
  const { fields, services, objectLists } = call;
  const { clock } = objectLists;
  const now = clock.unixS();
  const conditions = conditionsOf(fields, services.labels);
  const all = await entriesNamed(call);
  const sorting = sortingOf(fields, all[0], now);
  const met: ObjectEntry[] = [];
  const take = (entry: ObjectEntry): void => {
    if (conditions.every((condition) => condition(entry))) met.push(entry);
  };
  await inSlices(all, take, clock);
  const ordered = sorting ? await sorted(call, met, sorting) : met;
  const wanted = ordered.slice(...rangeOf(fields, ordered.length));
  return new Reply(await bodyOf(call, wanted, now), { 'Content-Type': 'application/json' });
}

/** `hashes`: those, as far as the caller is shown them; every torrent without it, where it is empty, and with `all`. */
async function entriesNamed(call: Call): Promise<ObjectEntry[]> {
  const { fields, principal, objectLists } = call;
  const hashes = fields.list('hashes', '|');
  if (!fields.text('hashes') || hashes[0]?.toLowerCase() === 'all') {
    const { chunks } = await objectLists.of(principal.account);
    return chunks.flatMap(({ entries }) => entries);
  }
  const named = new Map<string, ObjectEntry>();
  const find = (hash: string): void => {
    const found = findTorrent(call, hash);
    if (found) named.set(found.torrent.id, objectLists.entryOf(principal.account, found.torrent));
  };
  await inSlices(hashes, find, objectLists.clock);
  return [...named.values()];
}

type Sorting = NonNullable<ReturnType<typeof sortingOf>>;

async function sorted(
  { fields, objectLists }: Call,
  entries: readonly ObjectEntry[],
  valueOf: Sorting,
): Promise<ObjectEntry[]> {
  const keyed: { readonly entry: ObjectEntry; readonly value: NonNullable<ReturnType<Sorting>> }[] = [];
  // What is not known yet stands before what is.
  await inSlices(entries, (entry) => void keyed.push({ entry, value: valueOf(entry) ?? -1 }), objectLists.clock);
  const sign = fields.flag('reverse') ? -1 : 1;
  keyed.sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : 0));
  return keyed.map(({ entry }) => entry);
}

async function bodyOf(call: Call, entries: readonly ObjectEntry[], now: number): Promise<StreamedBody> {
  const parts: Buffer[] = [Buffer.from('[')];
  const places = Array.from({ length: Math.ceil(entries.length / IN_A_PART) }, (_, index) => index * IN_A_PART);
  const textOf = await withDetails(call, entries, now);
  const write = (from: number): void => {
    const texts = entries.slice(from, from + IN_A_PART).map(textOf);
    parts.push(Buffer.from((from > 0 ? ',' : '') + texts.join(',')));
  };
  await inSlices(places, write, call.objectLists.clock);
  return new StreamedBody([...parts, Buffer.from(']')]);
}
