// When a torrent has seeded enough and what is done with it then, by torrent and in the rules that torrents share.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import {
  categorySeedingRuleBodySchema,
  seedingInForceSchema,
  seedingRuleBodySchema,
  seedingRuleForAllBodySchema,
  seedingRulesSchema,
  trackerSeedingRuleBodySchema,
} from '../../shared-protocol/dto/seeding.js';
import type { Access } from '../../shared-protocol/dto/torrents.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, torrentRoute, type RouteTable, type TorrentContext } from './route.js';

const REMOVAL = { 403: 'it removes torrents, or another rule does, and the caller is no administrator' };

export const seedingRoutes = {
  'GET /api/torrents/{id}/seeding_rule': torrentRoute({
    access: 'viewer',
    summary: 'Its own rule of when it has seeded enough, what holds for it and by which rules',
    input: noInput,
    output: seedingInForceSchema,
    handle: (_input, { services, torrent }) => services.seedPolicies.inForce(torrent),
  }),
  'PUT /api/torrents/{id}/seeding_rule': torrentRoute({
    access: 'editor',
    summary: 'Sets when it has seeded enough and what is done then; only its owner may have it removed',
    input: jsonInput(seedingRuleBodySchema),
    output: okSchema,
    errors: { 403: 'it removes the torrent, and the caller is not its owner', 404: 'no such torrent or tag' },
    handle: ({ rule }, context) => context.services.seedPolicies.setRule(context.share, rule, seedingAccessOf(context)),
  }),
  'GET /api/settings/seeding_rules': accountRoute({
    gate: 'account',
    summary:
      'Rules of when torrents have seeded enough: for all, by category in sight, by tracker for who may change them',
    input: noInput,
    output: seedingRulesSchema,
    handle: (_input, { services, principal }) => services.seedingRules.shownTo(principal.account),
  }),
  'PUT /api/settings/seeding_rules/defaults': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets the rule for all; only administrators where a rule removes torrents',
    input: jsonInput(seedingRuleForAllBodySchema),
    output: okSchema,
    errors: { ...REMOVAL, 404: 'no such tag' },
    handle: (rule, { services, principal }) => services.seedingRules.setDefaults(principal.account, rule),
  }),
  'PUT /api/settings/seeding_rules/category': accountRoute({
    gate: 'perm_change_settings',
    summary:
      'Sets the rule of a category, or with null takes it away; only administrators where a rule removes torrents',
    input: jsonInput(categorySeedingRuleBodySchema),
    output: okSchema,
    errors: { ...REMOVAL, 404: 'no such category or tag' },
    handle: ({ category_id, rule }, { services, principal }) =>
      services.seedingRules.setOfCategory(principal.account, category_id, rule),
  }),
  'PUT /api/settings/seeding_rules/tracker': accountRoute({
    gate: 'perm_change_settings',
    summary:
      'Sets the rule of the trackers of a host, or with null takes it away; only administrators where a rule removes torrents',
    input: jsonInput(trackerSeedingRuleBodySchema),
    output: okSchema,
    errors: { ...REMOVAL, 404: 'no such tag' },
    handle: ({ host, rule }, { services, principal }) =>
      services.seedingRules.setOfTracker(principal.account, host, rule),
  }),
} satisfies RouteTable;

/** The access of the caller to the share that it acts on. */
export function seedingAccessOf({ services, principal, torrent }: TorrentContext): Access {
  return services.library.accessOf(principal.account, torrent) ?? 'viewer';
}
