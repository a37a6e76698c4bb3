// session-get and session-set: what Swarmd has of Transmission's settings is changed by those who may change settings; all
// else keeps showing what is true.
import { grantAll, shownBy, type PreferenceGroup } from '../../preference-group.js';
import { toSnakeCase } from '../names.js';
import type { Call, Result } from '../row.js';
import { addingSettings } from './adding.js';
import { blocklistSettings } from './blocklist.js';
import { CONSTANT_SETTINGS } from './constants.js';
import { oldNameOf } from './fields.js';
import { peerSettings } from './peers.js';
import { queueSettings } from './queue.js';
import { scheduleSettings } from './schedule.js';
import { seedingSettings } from './seeding.js';
import { speedSettings } from './speeds.js';

const GROUPS: readonly PreferenceGroup[] = [
  seedingSettings,
  addingSettings,
  blocklistSettings,
  speedSettings,
  queueSettings,
  peerSettings,
  scheduleSettings,
];

/** All of them, or those that `fields` names. @throws RequestError `BODY_INVALID`; AppError `ENGINE_TIMEOUT` */
export async function showSettings(call: Call): Promise<Result> {
  const fields = call.args.texts('fields')?.map(toSnakeCase);
  // The tool was let in with it (../router.ts).
  const session_id = call.request.headers['x-transmission-session-id'];
  const all: Readonly<Record<string, unknown>> = {
    ...CONSTANT_SETTINGS,
    session_id,
    ...(await shownBy(GROUPS, call)),
  };
  const names = fields?.filter((name) => Object.hasOwn(all, name)) ?? Object.keys(all);
  return Object.fromEntries(names.map((name) => [oldNameOf(name), all[name]]));
}

/** @throws RequestError `BODY_INVALID` naming the field, and what the services throw */
export async function changeSettings(call: Call): Promise<Result> {
  const { args } = call;
  const sent = args.names.filter((name) => args.has(name)).map((name) => [name, args.value(name)]);
  await grantAll(GROUPS, Object.fromEntries(sent), call);
  return {};
}
