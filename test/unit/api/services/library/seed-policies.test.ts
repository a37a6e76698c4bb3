// Seed policies: what a torrent has of its own, and how it goes back to the defaults.
import t from 'tap';
import { SeedPolicies } from '../../../../../api/services/library/seed-policies.js';
import { SeedingRules } from '../../../../../api/services/library/seeding-rules.js';
import { defaultSettings } from '../../../../../api/services/settings/settings-data.js';
import { seedPolicyBodySchema } from '../../../../../shared-protocol/dto/torrents.js';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../../../../shared-protocol/library-record.js';

const A = parseInfoHash('a'.repeat(40));
const TAG = { id: 5, name: 'seeded', color: '' };

function start() {
  const torrent: { library: LibraryRecord; trackers: string } = {
    library: { ...NEW_LIBRARY_RECORD, categoryId: 3 },
    trackers: '',
  };
  const settings = defaultSettings('/files');
  const labels = { category: () => undefined, tag: (id: number) => (id === 5 ? TAG : undefined) };
  const policies = new SeedPolicies({
    rules: new SeedingRules({
      settings: { stored: (group) => settings[group], change: async (change) => change(settings) },
      labels,
      shownLabels: { categories: () => [] },
    }),
    labels,
    library: {
      editRecord: async (_id, change) => {
        torrent.library = change(torrent.library);
      },
    },
  });
  return { torrent, policies, settings };
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

void t.test(
  'field by field; what is left out is as the defaults have it, also in the fields of the contract',
  async (t) => {
    const { torrent, policies, settings } = start();
    settings.seeding_defaults = { ratio_limit: 3, time_min_limit: 90 };
    await policies.setRule({ id: A }, { ratio_limit: 1, action: 'tag', tag_id: 5 }, 'editor');
    t.same(policies.of(torrent), { use_global: false, ratio_limit: 1, time_min_limit: 90 });
    t.match(policies.inForce(torrent), {
      own: { ratio_limit: 1, action: 'tag', tag_id: 5 },
      in_force: { ratio_limit: 1, time_min_limit: 90, inactive_min_limit: null, action: 'tag', tag_id: 5 },
      from: { ratio_limit: 'torrent', time_min_limit: 'global', action: 'torrent' },
    });
    await policies.set({ id: A }, { use_global: false, ratio_limit: null, time_min_limit: null });
    settings.seeding_rules = { ...settings.seeding_rules, action: 'remove', inactive_min_limit: 5 };
    t.match(
      policies.inForce(torrent).in_force,
      { ratio_limit: null, time_min_limit: null, inactive_min_limit: null, action: 'pause' },
      'the contract knows of two limits and of a pause',
    );
    await policies.setRule({ id: A }, null, 'editor');
    t.match(policies.inForce(torrent), { own: null, in_force: { ratio_limit: 3, action: 'remove' } });
  },
);

void t.test('who may not remove the torrent does not have it removed', async (t) => {
  const { torrent, policies } = start();
  for (const action of ['remove', 'remove_with_data'] as const) {
    await t.rejects(policies.setRule({ id: A }, { action }, 'editor'), { code: 'SEEDING_RULE_REFUSED' });
    t.equal(torrent.library.seedPolicy, null);
    await policies.setRule({ id: A }, { action }, 'owner');
    t.match(torrent.library.seedPolicy, { action });
    await policies.setRule({ id: A }, null, 'editor');
  }
  await t.rejects(policies.setRule({ id: A }, { action: 'tag', tag_id: 6 }, 'owner'), { message: 'tag not found' });
});
