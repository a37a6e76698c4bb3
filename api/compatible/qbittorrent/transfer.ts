// transfer/*: what the caller's torrents move together, the limits of speed in bytes per second over all torrents, and bans
// of peers.
import { RequestError } from '../../errors.js';
import { hostsOf } from './change/peers.js';
import { DONE, json, text } from './answers.js';
import { toBytesPerSec, toKbps } from './limit-units.js';
import { changing, reading, type Answer, type Call, type RouteTable } from './row.js';
import { isAlternative, transferInfo } from './transfer-info.js';

type Direction = 'down' | 'up';

export const transferRoutes = {
  'transfer/info': reading(async (call) => json(await transferInfo(call))),
  'transfer/speedLimitsMode': reading((call) => text(isAlternative(call.services) ? '1' : '0')),
  'transfer/toggleSpeedLimitsMode': changing(async ({ services }) => {
    await services.speedLimits.toggleAlt();
    return DONE();
  }, 'perm_change_settings'),
  'transfer/setSpeedLimitsMode': changing(setMode, 'perm_change_settings'),
  'transfer/downloadLimit': reading((call) => showLimit(call, 'down')),
  'transfer/uploadLimit': reading((call) => showLimit(call, 'up')),
  'transfer/setDownloadLimit': changing((call) => setLimit(call, 'down'), 'perm_change_settings'),
  'transfer/setUploadLimit': changing((call) => setLimit(call, 'up'), 'perm_change_settings'),
  'transfer/banPeers': changing(banPeers, 'admin'),
} as const satisfies RouteTable;

/** Every number but 0 is the alternative one, as in qBittorrent. */
async function setMode({ services, fields }: Call): Promise<Answer> {
  const alt_active = requiredInteger(fields, 'mode') !== 0;
  await services.speedLimits.edit((stored) => ({ ...stored, alt_active }));
  return DONE();
}

function showLimit({ services }: Call, direction: Direction): Answer {
  return text(String(toBytesPerSec(services.speedLimits.inForce[`${direction}_kbps`])));
}

/** Sets one of the pair that {@link isAlternative} names. */
async function setLimit(call: Call, direction: Direction): Promise<Answer> {
  const kbps = toKbps(requiredInteger(call.fields, 'limit'));
  const name = isAlternative(call.services) ? (`alt_${direction}_kbps` as const) : (`${direction}_kbps` as const);
  await call.services.speedLimits.edit((stored) => ({ ...stored, [name]: kbps }));
  return DONE();
}

/** By address alone, as in qBittorrent, which passes over what is none as well. */
async function banPeers({ services, principal, fields }: Call): Promise<Answer> {
  fields.required('peers');
  const hosts = hostsOf(fields.list('peers', '|'));
  if (hosts.length > 0) await services.bans.add(principal.account.id, hosts);
  return DONE();
}

function requiredInteger(fields: Call['fields'], name: string): number {
  const number = fields.integer(name);
  if (number === undefined) throw new RequestError('BODY_INVALID', `${name}: required`);
  return number;
}
