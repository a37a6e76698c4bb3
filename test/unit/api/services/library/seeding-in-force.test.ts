// Which rule holds for a torrent: of each part the first level that says something, and nothing that an editor chooses
// leads to a removal.
import t from 'tap';
import { policyOf, ruleOf, seedingInForce } from '../../../../../api/services/library/seeding-in-force.js';
import type { SeedingRuleDto, SeedingRuleForAllDto } from '../../../../../shared-protocol/dto/seeding.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../../../../shared-protocol/library-record.js';

const DEFAULTS: SeedingRuleForAllDto = {
  ratio_limit: 4,
  time_min_limit: 40,
  inactive_min_limit: null,
  action: 'pause',
};

interface Levels {
  readonly torrent?: SeedingRuleDto;
  readonly category?: SeedingRuleDto;
  readonly tracker?: SeedingRuleDto;
  readonly defaults?: SeedingRuleForAllDto;
  readonly record?: Partial<LibraryRecord>;
}

function inForce({ torrent, category = {}, tracker = {}, defaults = DEFAULTS, record }: Levels) {
  const seedPolicy = torrent ? policyOf(torrent) : null;
  return seedingInForce({ ...NEW_LIBRARY_RECORD, ...record, seedPolicy }, { category, tracker, defaults });
}

void t.test('torrent, category, tracker, defaults: part by part', async (t) => {
  t.same(inForce({}), {
    own: null,
    in_force: DEFAULTS,
    from: { ratio_limit: 'global', time_min_limit: 'global', inactive_min_limit: 'global', action: 'global' },
  });
  const levels = {
    torrent: { ratio_limit: 1 },
    category: { ratio_limit: 2, time_min_limit: 20 },
    tracker: { ratio_limit: 3, time_min_limit: 30, inactive_min_limit: 300, action: 'remove' as const },
  };
  t.match(inForce(levels), {
    in_force: { ratio_limit: 1, time_min_limit: 20, inactive_min_limit: 300, action: 'remove' },
    from: { ratio_limit: 'torrent', time_min_limit: 'category', inactive_min_limit: 'tracker', action: 'tracker' },
  });
  t.match(inForce({ category: { ratio_limit: null } }).in_force, { ratio_limit: null }, 'no limit is a limit too');
  t.match(
    inForce({ category: { action: 'tag', tag_id: 3 }, tracker: { action: 'tag', tag_id: 4 } }).in_force,
    { action: 'tag', tag_id: 3 },
    'a tag goes with its action',
  );
  t.notOk('tag_id' in inForce({ torrent: { action: 'pause' }, category: { action: 'tag', tag_id: 3 } }).in_force);
});

void t.test('a torrent that others may change, or could, is removed by a rule of its own alone', async (t) => {
  const bob = parseAccountId(2);
  const records: readonly (readonly [Partial<LibraryRecord>, boolean])[] = [
    [{}, false],
    [{ shares: [{ accountId: bob, access: 'viewer' }] }, false],
    [{ shares: [{ accountId: bob, access: 'editor' }] }, true],
    [{ hasOthersChoices: true }, true],
  ];
  for (const [record, isSpared] of records) {
    for (const action of ['remove', 'remove_with_data'] as const) {
      const shared = [
        { category: { action } },
        { tracker: { action } },
        { defaults: { ...DEFAULTS, action } },
        { torrent: { ratio_limit: 0 }, category: { action } },
      ];
      for (const levels of shared) {
        t.equal(inForce({ ...levels, record }).in_force.action, isSpared ? 'pause' : action, JSON.stringify(levels));
      }
      t.equal(inForce({ torrent: { action }, record }).in_force.action, action);
    }
    t.equal(inForce({ category: { action: 'tag', tag_id: 1 }, record }).in_force.action, 'tag');
  }
});

void t.test('policies of before there were actions: two limits, and a pause', async (t) => {
  const old = { ratioLimit: 2, minutesLimit: null };
  t.same(ruleOf(old), { ratio_limit: 2, time_min_limit: null, inactive_min_limit: null, action: 'pause' });
  for (const rule of [
    {},
    { ratio_limit: null },
    { ratio_limit: 0, time_min_limit: 1, inactive_min_limit: 2, action: 'remove_with_data' as const },
    { action: 'tag' as const, tag_id: 9 },
  ]) {
    t.same(ruleOf(policyOf(rule)), rule, JSON.stringify(rule));
  }
});
