// app/preferences and app/setPreferences: what Swarmd has of qBittorrent's preferences is changed by those who may change
// settings; all else keeps showing what is true.
import { z } from 'zod';
import { RequestError } from '../../../../errors.js';
import { check } from '../../../../routes/input.js';
import type { AccountContext } from '../../../../routes/route.js';
import { DONE, json } from '../../answers.js';
import type { Answer, Call } from '../../row.js';
import { addingPreferences } from './adding.js';
import { banPreferences } from './bans.js';
import { CONSTANT_PREFERENCES } from './constants.js';
import { grantAll, shownBy, type PreferenceGroup } from '../../../preference-group.js';
import { networkPreferences, pagePreferences } from './network.js';
import { peerPreferences } from './peers.js';
import { queuePreferences } from './queue.js';
import { schedulePreferences } from './schedule.js';
import { seedingPreferences } from './seeding.js';
import { speedPreferences } from './speeds.js';

/** In the order in which wishes are granted: first those that may be refused to the very account. */
const GROUPS: readonly PreferenceGroup[] = [
  banPreferences,
  seedingPreferences,
  addingPreferences,
  speedPreferences,
  queuePreferences,
  peerPreferences,
  schedulePreferences,
];

export async function showPreferences(context: AccountContext): Promise<Answer> {
  const network = await networkPreferences(context);
  const groups = await shownBy(GROUPS, context);
  return json({ ...CONSTANT_PREFERENCES, ...network, ...pagePreferences(context), ...groups });
}

/** @throws RequestError `BODY_INVALID` naming the field */
export async function setPreferences(call: Call): Promise<Answer> {
  await grantAll(GROUPS, sentPreferences(call.fields.required('json')), call);
  return DONE();
}

function sentPreferences(text: string): Record<string, unknown> {
  try {
    return check(z.record(z.string(), z.unknown()), JSON.parse(text));
  } catch {
    throw new RequestError('BODY_INVALID', 'json: expected an object');
  }
}
