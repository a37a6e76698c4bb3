// torrents/addPeers: addresses of peers, for each of the torrents that are named.
import { isIP } from 'node:net';
import { RequestError } from '../../../errors.js';
import { doToEach } from '../../../routes/batch.js';
import type { TorrentContext } from '../../../routes/route.js';
import { changed, json } from '../answers.js';
import { changing, type Answer, type Call, type RouteTable } from '../row.js';
import { idsNamed } from './named.js';

/** Addresses of one request; no spec value: as many as `/api` takes. */
const MAX_PEERS = 1_000;

export const peerRoutes = { 'torrents/addPeers': changing(addPeers) } as const satisfies RouteTable;

/** How many were taken for each torrent; where one may not be reached by this account, none of them is. */
async function addPeers(call: Call): Promise<Answer> {
  const ids = idsNamed(call);
  call.fields.required('peers');
  const named = call.fields.list('peers', '|');
  checkCount(named);
  const peers = named.filter((text) => hostOf(text) !== null);
  if (peers.length === 0) throw new RequestError('BODY_INVALID', 'peers: none is an address with a port');
  const added = new Map<string, number>(ids.map((id) => [id, 0]));
  const run = async ({ services, torrent, principal }: TorrentContext) => {
    await services.library.addPeers(torrent.id, peers, principal.account);
    added.set(torrent.id, peers.length);
  };
  const outcomes = await doToEach(ids, { access: 'editor', run }, call);
  const refused = outcomes.filter(({ ok, status }) => !ok && status !== 400 && status !== 404);
  if (refused.length > 0) return changed(refused);
  return json(
    Object.fromEntries([...added].map(([id, count]) => [id, { added: count, failed: named.length - count }])),
  );
}

/** The addresses without their ports; what is no address with a port is left out. @throws RequestError for too many */
export function hostsOf(peers: readonly string[]): string[] {
  checkCount(peers);
  return peers.map((text) => hostOf(text.trim())).filter((host) => host !== null);
}

function checkCount(named: readonly string[]): void {
  if (named.length > MAX_PEERS) throw new RequestError('BODY_INVALID', `peers: at most ${MAX_PEERS}`);
}

/** An IPv6 address is in brackets. */
function hostOf(text: string): string | null {
  const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const isHost = v6 === undefined ? isIP(v4 ?? '') === 4 : isIP(v6) === 6;
  return isHost && Number(port) > 0 && Number(port) < 65_536 ? (v6 ?? v4 ?? null) : null;
}
