// Adds to several engines: what one of them says it has added is what was asked for, and none that another has.
import t from 'tap';
import { Adds } from '../../../../api/engines/adds.js';
import type { AddTorrentParams, AddTorrentResult } from '../../../../shared-protocol/commands/adding.js';
import type { Routing } from '../../../../api/engines/routing.js';
import { ADMIN_ACCOUNT_ID, type TorrentId } from '../../../../shared-protocol/ids.js';
import { magnetOf, torrentId } from '../../../support/two-engines.js';

const OTHERS = torrentId(2);

/** The second of two engines, and what it answers; the first has a torrent. */
function addsTo(answer: (params: AddTorrentParams) => TorrentId) {
  const ask = async (_engine: number, _name: string, params: unknown): Promise<unknown> => {
    const added: AddTorrentResult = {
      id: answer(params as AddTorrentParams),
      existed: true,
      trackers: [['http://x/announce']],
    };
    return Promise.resolve(added);
  };
  const routing: Routing = {
    engines: [0, 1],
    // It answers adds and nothing else.
    ask: ask as Routing['ask'],
    engineOf: (id) => (id === OTHERS ? 0 : undefined),
    isHandedOver: () => false,
    engineOfAccount: () => 1,
    isAdopterAt: () => true,
  };
  return new Adds(routing);
}

const paramsOf = (uri: string): AddTorrentParams => ({
  source: { kind: 'magnet', uri },
  ...{ savePath: '/srv', ownerId: ADMIN_ACCOUNT_ID, paused: false },
});

void t.test('the torrent that was asked for', async (t) => {
  const added = await addsTo(() => torrentId(1) as TorrentId).add(paramsOf(magnetOf(1)));
  t.match(added, { id: torrentId(1), existed: true });
});

void t.test('another one, of another engine or of none', async (t) => {
  for (const other of [OTHERS, torrentId(3)]) {
    const adds = addsTo(() => other as TorrentId);
    await t.rejects(adds.add(paramsOf(magnetOf(1))), { code: 'BUG', message: /says it added 0{39}[23]/ });
  }
});

void t.test('one of another engine for what is no torrent here', async (t) => {
  await t.rejects(addsTo(() => OTHERS as TorrentId).add(paramsOf('magnet:?dn=x')), { code: 'BUG' });
  t.match(await addsTo(() => torrentId(3) as TorrentId).add(paramsOf('magnet:?dn=x')), { id: torrentId(3) });
});
