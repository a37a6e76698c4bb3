// sync/*: what a page of qBittorrent asks for again and again; by `rid` it is told what changed since the answer it has.
import { torrentNamed } from '../../selection.js';
import { Reply } from '../../../routes/reply.js';
import { json } from '../answers.js';
import { reading, type Answer, type Call, type RouteTable } from '../row.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };

export const syncRoutes = {
  'sync/maindata': reading(mainData),
  'sync/torrentPeers': reading(torrentPeers),
} as const satisfies RouteTable;

async function mainData({ services, principal, mainDataVersions, fields }: Call): Promise<Answer> {
  const rid = fields.integer('rid') ?? 0;
  return new Reply(await mainDataVersions.answer(services, principal.account, rid), JSON_TYPE);
}

async function torrentPeers(call: Call): Promise<Answer> {
  const { services, principal, peerVersions, fields } = call;
  const { torrent, share } = torrentNamed(call, fields.required('hash'));
  const rid = fields.integer('rid') ?? 0;
  const [[look], countries] = await Promise.all([
    services.library.details([share], ['peers']),
    services.openCountries(),
  ]);
  const peers = look?.peers ?? [];
  return json(peerVersions.answer({ account: principal.account.id, id: torrent.id }, rid, peers, countries));
}
