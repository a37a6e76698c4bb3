// app/preferences and app/setPreferences: what Swarmd has of qBittorrent's preferences is changed by those who may change
// settings; all else keeps showing what is true.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { RequestError } from '../../../../errors.js';
import { check } from '../../../../routes/input.js';
import type { AccountContext } from '../../../../routes/route.js';
import { DONE, json } from '../../answers.js';
import type { Answer, Call } from '../../row.js';
import { addingPreferences } from './adding.js';
import { CONSTANT_PREFERENCES } from './constants.js';
import type { Grant, PreferenceGroup, Preferences } from './group.js';
import { networkPreferences, pagePreferences } from './network.js';
import { peerPreferences } from './peers.js';
import { queuePreferences } from './queue.js';
import { schedulePreferences } from './schedule.js';
import { seedingPreferences } from './seeding.js';
import { speedPreferences } from './speeds.js';

/** In the order in which wishes are granted: first the one that may be refused to the very account. */
const GROUPS: readonly PreferenceGroup[] = [
  seedingPreferences,
  addingPreferences,
  speedPreferences,
  queuePreferences,
  peerPreferences,
  schedulePreferences,
];

export async function showPreferences(context: AccountContext): Promise<Answer> {
  const network = await networkPreferences(context);
  const groups = GROUPS.map((group) => group.shown(context));
  return json(Object.assign({}, CONSTANT_PREFERENCES, network, pagePreferences(context), ...groups));
}

/** Tools send all that they were shown: what is as it was is not looked at. @throws RequestError `BODY_INVALID` naming the field */
export async function setPreferences(call: Call): Promise<Answer> {
  const sent = sentPreferences(call.fields.required('json'));
  const wishes = GROUPS.map((group) => ({ group, wish: check(group.wishes, sent) }));
  const grants: (Grant | null)[] = [];
  for (const { group, wish } of wishes) {
    if (isOther(wish, group.shown(call))) grants.push(await group.prepare(wish, call));
  }
  for (const grant of grants) await grant?.();
  return DONE();
}

function sentPreferences(text: string): Record<string, unknown> {
  try {
    return check(z.record(z.string(), z.unknown()), JSON.parse(text));
  } catch {
    throw new RequestError('BODY_INVALID', 'json: expected an object');
  }
}

function isOther(wish: Preferences, shown: Preferences): boolean {
  return Object.entries(wish).some(([name, value]) => !isDeepStrictEqual(value, shown[name]));
}
