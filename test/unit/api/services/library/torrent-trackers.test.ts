// The quota of trackers holds on every way by which an account's trackers may grow, and for whose torrent it is; torrents that
// keep theirs say why.
import t from 'tap';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import { Library } from '../../../../../api/services/library/library.js';
import { MAX_TRACKER_CHARS_OWNED, Quotas } from '../../../../../api/services/library/quotas.js';
import { TorrentTrackers } from '../../../../../api/services/library/torrent-trackers.js';
import type { EngineHandlers } from '../../../../../shared-protocol/commands.js';
import type { ReplaceTrackersParams } from '../../../../../shared-protocol/commands/trackers.js';
import type { ErrorRecord } from '../../../../../shared-protocol/errors.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { because } from '../../../../../shared-protocol/reasons.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';
import { UNBOUNDED_UPLOADS } from '../../../../support/unbounded-uploads.js';

const ADMIN = firstAdmin('', 0);
const BOB: Account = { ...ADMIN, id: parseAccountId(2), role: 'user' };
const EVE: Account = { ...ADMIN, id: parseAccountId(3), role: 'user' };
const TRACKER = 'http://a.example/announce';
const REFUSED = { code: 'QUOTA_EXCEEDED', message: /^torrent: your account may have at most 32 MiB of tracker URLs/ };

/** Bob has a torrent with one tracker, which eve may edit, and others that leave room for `room` characters. */
async function start(room: number, instead: Partial<EngineHandlers> = {}) {
  const engine = new MemoryEngine();
  const transport = createInProcessTransport((emit) => ({ ...engine.handlers(emit), ...instead }));
  const library = new Library({ engine: transport });
  transport.onEvent((event) => library.handleEvent(event));
  await transport.client.start(TEST_ENGINE_OPTIONS);
  const grant = { accountId: EVE.id, access: 'editor' as const };
  const { id } = await transport.client.addTorrent({
    source: { kind: 'magnet', uri: `magnet:?xt=urn:btih:${'a'.repeat(40)}&tr=${encodeURIComponent(TRACKER)}` },
    ...{ savePath: '/srv', ownerId: BOB.id, paused: true },
    library: { ...NEW_LIBRARY_RECORD, shares: [grant] },
  });
  engine.setFacts(id, { trackers: TRACKER });
  const second = await transport.client.addTorrent({
    source: { kind: 'magnet', uri: `magnet:?xt=urn:btih:${'b'.repeat(40)}` },
    ...{ savePath: '/srv', ownerId: BOB.id, paused: true },
  });
  engine.setFacts(second.id, { trackers: 'x'.repeat(MAX_TRACKER_CHARS_OWNED - TRACKER.length - room) });
  const accounts = [ADMIN, BOB, EVE];
  const findAccount = (wanted: number) => accounts.find((account) => account.id === wanted);
  const trackers = new TorrentTrackers({
    engine: transport,
    library,
    quotas: new Quotas({ library, uploads: UNBOUNDED_UPLOADS }),
    findAccount,
  });
  return { trackers, engine, share: { id, by: BOB.id } };
}

void t.test('one by one', async (t) => {
  const { trackers, engine, share } = await start(10);
  await t.rejects(trackers.add(share, 'http://b.example/', BOB), REFUSED);
  await t.rejects(trackers.add(share, 'http://b.example/', EVE), REFUSED, 'it is the owner who has them');
  t.same(engine.trackersOf(share.id), [TRACKER]);
  await trackers.add(share, 'http://b/', BOB);
  await trackers.add({ id: share.id }, 'http://b.example/', ADMIN);
});

void t.test('in tiers, of which only what is more counts', async (t) => {
  const { trackers, engine, share } = await start(10);
  await t.rejects(trackers.setTiers(share, [[TRACKER], ['http://b.example/']], BOB), REFUSED);
  await trackers.setTiers(share, [['http://b.example/']], BOB);
  t.same(engine.trackersOf(share.id), ['http://b.example/']);
});

void t.test('made longer in many torrents', async (t) => {
  const { trackers, engine, share } = await start(10);
  const longer = { find: 'http://a.example/', replace: `http://a.example/${'y'.repeat(11)}/` };
  await t.rejects(trackers.replace(BOB, { ...longer, isDryRun: false }), REFUSED);
  await t.rejects(trackers.replace(EVE, { ...longer, isDryRun: false }), REFUSED);
  t.same(engine.trackersOf(share.id), [TRACKER]);
  t.match(await trackers.replace(BOB, { ...longer, isDryRun: true }), { torrents: [{ addresses: 1 }] });
  await trackers.replace(BOB, { find: 'http://a.example/', replace: 'http://ab.example/', isDryRun: false });
});

void t.test('a torrent that keeps its trackers says why as the route for one torrent does', async (t) => {
  const replacement = { find: TRACKER, replace: 'http://b.example/announce', isDryRun: false };
  const told = async (error: ErrorRecord) => {
    const replaceTrackers = ({ shares }: ReplaceTrackersParams) => ({
      matches: [],
      failures: shares.map(({ id }) => ({ id, error })),
    });
    const { trackers, share } = await start(1_000, { replaceTrackers });
    const { failed } = await trackers.replace(BOB, replacement);
    t.equal(failed.length, 2, 'both that bob has');
    const { id: _id, ...body } = failed.find(({ id }) => id === share.id)!;
    return body;
  };
  t.same(await told({ code: 'STORAGE_FAILED', message: 'mdb_put: 28', data: { errno: 'ENOSPC' } }), {
    error: 'storage failure: disk full',
    code: 'DISK_FULL',
  });
  t.same(await told({ code: 'ENGINE_AWAY', message: 'e2: not reached' }), {
    error: 'engine away',
    code: 'ENGINE_AWAY',
  });
  const data = because('TRACKER_INVALID', { url: 'x' });
  t.same(await told({ code: 'TRACKER_INVALID', message: 'replace: not a URL', data }), {
    error: 'replace: not a URL',
    code: 'TRACKER_INVALID',
    data: { url: 'x' },
  });
});
