// Samples of the routes of seeding rules: of a torrent, of a category, of a tracker, and of all.
import { randomUUID } from 'node:crypto';
import type { seedingRoutes } from '../../../../api/routes/seeding.js';
import { OK, type Refusal, type Samples } from '../sample.js';

const FOR_ALL = { ratio_limit: 2, time_min_limit: null, inactive_min_limit: 60, action: 'pause' };
const NO_LIMITS = { ratio_limit: null, time_min_limit: null, inactive_min_limit: null, action: 'pause' };

const bad = (body: object, error: string | RegExp, status = 400): Refusal => ({
  name: JSON.stringify(body).slice(0, 70),
  call: { body },
  status,
  error,
});
const badRules = (named: object): Refusal[] => [
  bad({ ...named }, 'rule: required'),
  bad({ ...named, rule: { ratio_limit: -1 } }, 'rule.ratio_limit: must not be negative'),
  bad({ ...named, rule: { inactive_min_limit: 0.5 } }, 'rule.inactive_min_limit: expected int'),
  bad({ ...named, rule: { action: 'burn' } }, /^rule.action: expected pause or /),
  bad({ ...named, rule: { action: 'tag' } }, 'rule.tag_id: required'),
];

export const seedingSamples: Samples<typeof seedingRoutes> = {
  'GET /api/torrents/{id}/seeding_rule': {
    who: { access: 'viewer' },
    call: () => ({}),
    answer: {
      own: null,
      in_force: NO_LIMITS,
      from: { ratio_limit: 'global', time_min_limit: 'global', inactive_min_limit: 'global', action: 'global' },
    },
  },
  'PUT /api/torrents/{id}/seeding_rule': {
    who: { access: 'editor' },
    call: () => ({ body: { rule: { ratio_limit: 1.5, action: 'pause' } } }),
    answer: OK,
    refusals: [...badRules({}), bad({ rule: { action: 'tag', tag_id: 987_654_321 } }, 'tag not found', 404)],
  },
  'GET /api/settings/seeding_rules': {
    who: 'account',
    call: () => ({}),
    answer: { defaults: NO_LIMITS, categories: Array, trackers: Array },
  },
  'PUT /api/settings/seeding_rules/defaults': {
    who: 'perm_change_settings',
    call: () => ({ body: NO_LIMITS }),
    answer: OK,
    refusals: [
      bad({ ...FOR_ALL, ratio_limit: -1 }, 'ratio_limit: must not be negative'),
      bad({ ...FOR_ALL, action: undefined }, 'action: required'),
      bad({ ...FOR_ALL, inactive_min_limit: undefined }, 'inactive_min_limit: required'),
      bad({ ...FOR_ALL, action: 'tag' }, 'tag_id: required'),
      bad({ ...FOR_ALL, action: 'tag', tag_id: 987_654_321 }, 'tag not found', 404),
    ],
  },
  'PUT /api/settings/seeding_rules/category': {
    who: 'perm_change_settings',
    call: async ({ asAdmin }) => {
      const category = { name: randomUUID(), default_save_path: '', color: '' };
      const { id } = await asAdmin<{ id: number }>('POST', '/api/categories', category);
      return { body: { category_id: id, rule: { time_min_limit: 60 } } };
    },
    answer: OK,
    refusals: [
      ...badRules({ category_id: 1 }),
      bad({ category_id: 0, rule: null }, 'category_id: at least 1'),
      bad({ category_id: 987_654_321, rule: null }, 'category not found', 404),
    ],
  },
  'PUT /api/settings/seeding_rules/tracker': {
    who: 'perm_change_settings',
    call: () => ({ body: { host: `${randomUUID()}.example`, rule: { ratio_limit: null } } }),
    answer: OK,
    refusals: [
      ...badRules({ host: 'tracker.example' }),
      ...[
        '',
        'a b',
        'tracker.example:81',
        'http://tracker.example/',
        'tracker.example/announce',
        'me@tracker.example',
      ].map((host) => bad({ host, rule: null }, 'host: expected a host such as tracker.example, without port or path')),
    ],
  },
};
