// docs/api.md, "Settings": what holds for the whole service. Reading is for every account, secrets left out.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { compatibleBodySchema, compatibleSchema } from '../../shared-protocol/dto/compatible.js';
import {
  addingDefaultsBodySchema,
  altActiveSchema,
  blocklistBodySchema,
  blocklistSchema,
  connectionsBodySchema,
  connectionsSchema,
  limitsInForceSchema,
  limitsSchema,
  peerLimitsBodySchema,
  peerLimitsSchema,
  queueLimitsSchema,
  savePathSchema,
  seedingDefaultsSchema,
  watchFolderSchema,
  shownAddingDefaultsSchema,
} from '../../shared-protocol/dto/settings.js';
import { hasPermission } from '../auth/account.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, type AccountContext, type RouteTable } from './route.js';

export const settingRoutes = {
  'GET /api/settings/save_path': accountRoute({
    gate: 'account',
    summary: 'Where torrents go that do not say',
    input: noInput,
    output: savePathSchema,
    handle: (_input, { services, principal }) => ({ path: services.savePaths.defaultOf(principal.account) }),
  }),
  'PUT /api/settings/save_path': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets where torrents go that do not say; moves no data',
    input: jsonInput(savePathSchema),
    output: okSchema,
    handle: ({ path }, { services, principal }) => services.savePaths.setDefault(principal.account, path),
  }),
  'GET /api/settings/limits': accountRoute({
    gate: 'account',
    summary: 'Speed limits as they are stored',
    input: noInput,
    output: limitsSchema,
    handle: (_input, { services }) => services.speedLimits.stored,
  }),
  'PUT /api/settings/limits': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets the speed limits, in force at once',
    input: jsonInput(limitsSchema),
    output: okSchema,
    handle: (limits, { services }) => services.speedLimits.set(limits),
  }),
  'GET /api/settings/limits_in_force': accountRoute({
    gate: 'account',
    summary: 'Speed limits as they hold now, and why',
    input: noInput,
    output: limitsInForceSchema,
    handle: (_input, { services }) => services.speedLimits.inForce,
  }),
  'POST /api/settings/alt_speed/toggle': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Switches between the usual and the alternative limits',
    input: noInput,
    output: altActiveSchema,
    handle: async (_input, { services }) => ({ alt_active: await services.speedLimits.toggleAlt() }),
  }),
  'GET /api/settings/queue_limits': accountRoute({
    gate: 'account',
    summary: 'How many torrents run at a time',
    input: noInput,
    output: queueLimitsSchema,
    handle: (_input, { services }) => services.engineSettings.queueLimits,
  }),
  'PUT /api/settings/queue_limits': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets how many torrents run at a time, in force at once',
    input: jsonInput(queueLimitsSchema),
    output: okSchema,
    handle: (limits, { services }) => services.engineSettings.setQueueLimits(limits),
  }),
  'GET /api/settings/peer_limits': accountRoute({
    gate: 'account',
    summary: 'Peer settings as they are stored, and which of them the command line has decided',
    input: noInput,
    output: peerLimitsSchema,
    handle: (_input, { services }) => services.engineSettings.shownPeerLimits,
  }),
  'PUT /api/settings/peer_limits': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets peers per torrent, in force at once, and the rest from the next start on',
    input: jsonInput(peerLimitsBodySchema),
    output: okSchema,
    handle: (limits, { services }) => services.engineSettings.setPeerLimits(limits),
  }),
  'GET /api/settings/connections': accountRoute({
    gate: 'account',
    summary: 'Peers and upload slots of all torrents, encryption and local discovery, as stored and as in this run',
    input: noInput,
    output: connectionsSchema,
    handle: (_input, { services }) => services.engineSettings.connections,
  }),
  'PUT /api/settings/connections': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets them from the next start on; the switch for encryption of the peer settings follows',
    input: jsonInput(connectionsBodySchema),
    output: okSchema,
    handle: (connections, { services }) => services.engineSettings.setConnections(connections),
  }),
  'GET /api/settings/seeding_defaults': accountRoute({
    gate: 'account',
    summary: 'When seeding ends, unless a torrent says otherwise',
    input: noInput,
    output: seedingDefaultsSchema,
    handle: (_input, { services }) => {
      const { ratio_limit, time_min_limit } = services.seedingRules.defaults;
      return { ratio_limit, time_min_limit };
    },
  }),
  'PUT /api/settings/seeding_defaults': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets when seeding ends, unless a torrent says otherwise',
    input: jsonInput(seedingDefaultsSchema),
    output: okSchema,
    handle: (limits, { services, principal }) => services.seedingRules.setDefaultLimits(principal.account, limits),
  }),
  'GET /api/settings/adding': accountRoute({
    gate: 'account',
    summary: 'How torrents begin that do not say',
    input: noInput,
    output: shownAddingDefaultsSchema,
    handle: (_input, { services }) => services.addingDefaults.inForce,
  }),
  'PUT /api/settings/adding': accountRoute({
    gate: 'perm_change_settings',
    summary:
      'Sets how torrents begin that do not say, those of feeds and of the watch folder among them; what is there, and ' +
      'what is left out, stays as it is',
    input: jsonInput(addingDefaultsBodySchema),
    output: okSchema,
    handle: (defaults, { services, principal }) => services.addingDefaults.change(principal.account, defaults),
  }),
  'GET /api/settings/compatible': accountRoute({
    gate: 'account',
    summary: 'Interfaces of other programs that are answered beside this one',
    input: noInput,
    output: compatibleSchema,
    handle: (_input, { services }) => services.compatibleInterfaces.shown,
  }),
  'PUT /api/settings/compatible': accountRoute({
    gate: 'admin',
    summary:
      'Sets which they are, from now on; what is left out, and what the command line has decided, stays as it is',
    input: jsonInput(compatibleBodySchema),
    output: okSchema,
    handle: (changed, { services }) => services.compatibleInterfaces.set(changed),
  }),
  'GET /api/settings/watch_folder': accountRoute({
    gate: 'account',
    summary: 'The folder whose torrent files are added',
    input: noInput,
    output: watchFolderSchema,
    handle: (_input, { services }) => services.watchFolder.stored,
  }),
  'PUT /api/settings/watch_folder': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets the folder whose torrent files are added',
    input: jsonInput(watchFolderSchema),
    output: okSchema,
    handle: (folder, { services, principal }) => services.watchFolder.set(principal.account, folder),
  }),
  'GET /api/settings/blocklist': accountRoute({
    gate: 'account',
    summary: 'The list of addresses to keep away from',
    input: noInput,
    output: blocklistSchema,
    handle: (_input, context) => context.services.blocklist.shown({ withSecrets: maySeeSecrets(context) }),
  }),
  'PUT /api/settings/blocklist': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Sets the list; when enabled it is fetched at once',
    input: jsonInput(blocklistBodySchema),
    output: okSchema,
    handle: (change, { services }) => services.blocklist.set(change),
  }),
  'POST /api/settings/blocklist/refresh': accountRoute({
    gate: 'perm_change_settings',
    summary: 'Fetches the list again',
    input: noInput,
    output: okSchema,
    errors: { 400: 'no URL is configured, or it may not be fetched', 502: 'the list cannot be got' },
    handle: (_input, { services }) => services.blocklist.refresh(),
  }),
} satisfies RouteTable;

function maySeeSecrets({ principal }: AccountContext): boolean {
  return hasPermission(principal.account, 'perm_change_settings');
}
