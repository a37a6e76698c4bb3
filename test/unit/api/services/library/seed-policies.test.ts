// Seed policies: what a torrent has of its own, and how it goes back to the defaults.
import t from 'tap';
import { SeedPolicies } from '../../../../../api/services/library/seed-policies.js';
import { seedPolicyBodySchema } from '../../../../../shared-protocol/dto/torrents.js';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../../../../shared-protocol/library-record.js';

const A = parseInfoHash('a'.repeat(40));

function start() {
  const torrent: { library: LibraryRecord } = { library: { ...NEW_LIBRARY_RECORD, categoryId: 3 } };
  const policies = new SeedPolicies({
    settings: { stored: () => ({}) as never, store: async () => undefined },
    library: {
      editRecord: async (_id, change) => {
        torrent.library = change(torrent.library);
      },
    },
  });
  return { torrent, policies };
}

void t.test('none, some, no limits at all, and none again', async (t) => {
  const { torrent, policies } = start();
  const none = { use_global: true, ratio_limit: null, time_min_limit: null };
  t.same(policies.of(torrent), none);
  const own = { use_global: false, ratio_limit: 1.5, time_min_limit: null };
  await policies.set({ id: A }, own);
  t.same(policies.of(torrent), own);
  t.equal(torrent.library.categoryId, 3, 'nothing else changes');
  const unlimited = { use_global: false, ratio_limit: null, time_min_limit: null };
  await policies.set({ id: A }, unlimited);
  t.same(policies.of(torrent), unlimited, 'which is not the same as none');
  t.same(torrent.library.seedPolicy, { ratioLimit: null, minutesLimit: null });
  await policies.set({ id: A }, { use_global: true, ratio_limit: 9, time_min_limit: 9 });
  t.same(policies.of(torrent), none, 'whatever the limits say');
  t.equal(torrent.library.seedPolicy, null);
  await policies.set({ id: A }, { use_global: true });
  t.equal(torrent.library.seedPolicy, null);
});

void t.test('limits may be left out when the defaults hold', async (t) => {
  const complaints = (body: unknown) =>
    seedPolicyBodySchema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ??
    [];
  t.same(complaints({ use_global: true }), []);
  t.same(complaints({ use_global: true, ratio_limit: 1 }), []);
  t.same(complaints({ use_global: false, ratio_limit: 0, time_min_limit: 0 }), []);
  t.same(complaints({ use_global: false, ratio_limit: null, time_min_limit: null }), []);
  t.same(complaints({ use_global: false }), ['ratio_limit: required', 'time_min_limit: required']);
  t.same(complaints({ use_global: false, ratio_limit: 1 }), ['time_min_limit: required']);
  for (const wrong of [
    {},
    { use_global: 'yes' },
    { use_global: false, ratio_limit: -0.1, time_min_limit: null },
    { use_global: false, ratio_limit: 1, time_min_limit: 1.5 },
    { use_global: false, ratio_limit: Infinity, time_min_limit: null },
    { use_global: true, ratio_limit: '1' },
  ]) {
    t.not(complaints(wrong).length, 0, JSON.stringify(wrong));
  }
});
