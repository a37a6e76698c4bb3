// sync/torrentPeers: peers in full, what changed of them since, and nothing of torrents that the caller is not shown.
import t from 'tap';
import type { PeerDetail } from '../../../../shared-protocol/commands/details.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { QUIET_PEER, shownPeer } from '../../../support/shown-details.js';
import { startToolScene } from '../../../support/qbittorrent-scene.js';

const HASH = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const WANTED = { ...QUIET_PEER, weAreInterested: true, chokesUs: false, encryption: 'rc4' } as const;
const peer = (host: string, change: Partial<PeerDetail> = {}): PeerDetail =>
  shownPeer({ host, client: 'x 1', facts: WANTED, progress: 0.5, downloadRate: 10.4, bytesDown: 7, ...change });

interface Answered {
  readonly rid: number;
  readonly full_update?: boolean;
  readonly peers?: Record<string, object>;
  readonly peers_removed?: readonly string[];
}

void t.test('full, partial, gone; an account, a torrent and a run know their own versions only', async (t) => {
  const { harness, ann, bob } = await startToolScene(t);
  for (const hash of [HASH, OTHER]) {
    await ann.own('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${hash}` });
    await ann.own('POST', `/api/torrents/${hash}/shares`, { user_id: bob.accountId, access: 'viewer' });
  }
  const setPeers = (...peers: PeerDetail[]) => harness.engine.setDetails(parseInfoHash(HASH), { peers });
  const ask = (rid?: number, tool = ann, hash = HASH) =>
    tool.read<Answered & Record<string, unknown>>('sync/torrentPeers', {
      hash,
      ...(rid === undefined ? {} : { rid: String(rid) }),
    });
  setPeers(peer('192.0.2.1'), peer('2001:db8::1', { facts: QUIET_PEER }));
  const first = await ask();
  t.match(first, {
    full_update: true,
    show_flags: true,
    peers: {
      '192.0.2.1:6881': {
        ...{
          ip: '192.0.2.1',
          port: 6881,
          client: 'x 1',
          progress: 0.5,
          dl_speed: 10,
          up_speed: 0,
          downloaded: 7,
          connection: 'BT',
        },
        ...{ flags: 'D E', flags_desc: /^D = wanted.*\nE = encrypted/, country_code: '', country: 'N/A' },
      },
      '[2001:db8::1]:6881': { flags: '', flags_desc: '' },
    },
  });
  t.notOk('full_update' in (await ask(first.rid)), 'nothing changed');
  t.notOk('peers' in (await ask(first.rid)));
  setPeers(peer('192.0.2.1', { progress: 0.75 }), peer('192.0.2.3'));
  const changed = await ask(first.rid);
  t.same(changed.peers?.['192.0.2.1:6881'], { progress: 0.75 });
  t.match(changed.peers?.['192.0.2.3:6881'], { client: 'x 1' });
  t.same(changed.peers_removed, ['[2001:db8::1]:6881']);
  const again = await ask(first.rid);
  t.same({ ...again, rid: 0 }, { ...changed, rid: 0 }, 'the same number is answered from the same version');
  t.equal((await ask(changed.rid, bob)).full_update, true, "not another account's version");
  t.equal((await ask(changed.rid, ann, OTHER)).full_update, true, "not another torrent's");
  t.equal((await ask(0)).full_update, true);
});

void t.test('refused', async (t) => {
  const { harness, ann, bob } = await startToolScene(t);
  await ann.own('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${HASH}` });
  t.match(await bob.get('sync/torrentPeers', { hash: HASH }), { status: 404 });
  t.match(await ann.get('sync/torrentPeers', { hash: OTHER }), { status: 404 });
  t.match(await ann.get('sync/torrentPeers'), { status: 400, text: 'hash: required' });
  t.match(await ann.get('sync/torrentPeers', { hash: HASH, rid: 'x' }), { status: 400, text: /^rid: / });
  t.match(await harness.call('GET', `/api/v2/sync/torrentPeers?hash=${HASH}`), { status: 403 });
});
