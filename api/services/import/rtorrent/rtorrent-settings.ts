// What `.rtorrent.rc` says of limits and seeding, under the names of 0.9 and those of before, and which other settings it has. Of
// several that say the same the last one holds. Pure.
import { remark, textOf, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignSettings, LeftOut } from '../foreign-settings.js';
import { shortened, withoutAbsent } from '../settings-values.js';
import type { RcStatement } from './rc-file.js';

const KIB = 1_024;
const COMPUTED = remark('COMPUTED');
const BY_HAND = remark('BY_HAND');
const PEERS = remark('CONNECTIONS_BY_HAND');

/** Names of rates, and what a number without a unit counts. */
const RATES = {
  down_kbps: new Map([
    ['throttle.global_down.max_rate.set', 1],
    ['throttle.global_down.max_rate.set_kb', KIB],
    ['set_download_rate', 1],
    ['download_rate', KIB],
  ]),
  up_kbps: new Map([
    ['throttle.global_up.max_rate.set', 1],
    ['throttle.global_up.max_rate.set_kb', KIB],
    ['set_upload_rate', 1],
    ['upload_rate', KIB],
  ]),
} as const;
const SHOWN_RATES = { down_kbps: remark('SPEED_DOWN'), up_kbps: remark('SPEED_UP') };
const RATIO = /^(?:group2?\.seeding\.)?ratio\.(enable|min|max|upload)(?:\.set)?$/;
const RATIO_COMMAND = /group2?\.seeding\.ratio\.command/;
/** Shown with their values. */
const NAMED: readonly (readonly [names: readonly string[], setting: Remark, reason: Remark])[] = [
  [['network.port_range.set', 'port_range'], remark('PORTS'), BY_HAND],
  [['network.port_random.set', 'port_random'], remark('RANDOM_PORT'), BY_HAND],
  [['dht.mode.set', 'dht'], remark('DHT'), BY_HAND],
  [['protocol.pex.set', 'peer_exchange'], remark('PEX'), BY_HAND],
  [['protocol.encryption.set', 'encryption'], remark('ENCRYPTION'), BY_HAND],
  [['trackers.use_udp.set', 'use_udp_trackers'], remark('UDP_TRACKERS'), BY_HAND],
  [['network.bind_address.set', 'bind'], remark('PEER_ADDRESS'), BY_HAND],
  [['throttle.max_peers.normal.set', 'max_peers'], remark('DOWNLOAD_PEERS'), PEERS],
  [['throttle.max_peers.seed.set', 'max_peers_seed'], remark('SEED_PEERS'), PEERS],
  [['throttle.max_uploads.set', 'max_uploads'], remark('TORRENT_UPLOADS'), PEERS],
  [['throttle.max_uploads.global.set', 'max_uploads_global'], remark('ALL_UPLOADS'), PEERS],
  [['throttle.max_downloads.global.set', 'max_downloads_global'], remark('ALL_DOWNLOADS'), PEERS],
  [['directory.default.set', 'directory'], remark('NEW_TORRENT_FOLDER'), remark('BY_HAND_KEPT')],
];
/** Shown without, as a password may be in them. */
const SECRET = /^(?:network\.(?:http\.)?proxy_address\.set|proxy_address|http_proxy)$/;

export function rcSettings(
  statements: readonly RcStatement[],
): Pick<ForeignSettings, 'limits' | 'seeding' | 'leftOut'> {
  const leftOut: LeftOut[] = [];
  const limits = withoutAbsent({
    down_kbps: rateOf(statements, 'down_kbps', leftOut),
    up_kbps: rateOf(statements, 'up_kbps', leftOut),
  });
  const seeding = ratioOf(statements, leftOut);
  for (const [names, setting, reason] of NAMED) {
    const last = statements.findLast(({ name }) => names.includes(name));
    if (last) leftOut.push(last.value === null ? computed(setting) : { name: withValue(setting, last.value), reason });
  }
  if (statements.some(({ name }) => SECRET.test(name)))
    leftOut.push({ name: remark('PROXY'), reason: remark('BY_HAND_PASSWORD') });
  return { limits, seeding, leftOut: [...leftOut, ...commandsOf(statements)] };
}

function withValue(setting: Remark, value: string): Remark {
  return remark('WITH_VALUE', { setting, value: shortened(value) });
}

function computed(name: Remark): LeftOut {
  return { name, reason: COMPUTED };
}

/** KiB/s; absent: no limit, or it is not known. */
function rateOf(
  statements: readonly RcStatement[],
  key: 'down_kbps' | 'up_kbps',
  leftOut: LeftOut[],
): number | undefined {
  const names = RATES[key];
  const isWithin = ({ name, text, value }: RcStatement) =>
    !SCHEDULE.test(name) && value === null && [...names.keys()].some((each) => text.includes(each));
  const last = statements.findLast((statement) => names.has(statement.name) || isWithin(statement));
  if (!last) return undefined;
  const bytes = names.has(last.name) ? bytesOf(last.value, names.get(last.name)!) : null;
  if (bytes === null) leftOut.push(computed(SHOWN_RATES[key]));
  return bytes === null || bytes === 0 ? undefined : Math.max(1, Math.floor(bytes / KIB));
}

const UNITS: Readonly<Record<string, number>> = { b: 1, k: KIB, m: KIB ** 2, g: KIB ** 3 };

/** null: it is no such number. */
function bytesOf(value: string | null, unit: number): number | null {
  const [, digits, suffix = ''] = /^(\d{1,12})([bkmg]?)$/i.exec(value ?? '') ?? [];
  return digits === undefined ? null : Number(digits) * (UNITS[suffix.toLowerCase()] ?? unit);
}

/** A ratio at which torrents stop; the lower one of two asks for so much to be uploaded besides. In percent. */
function ratioOf(statements: readonly RcStatement[], leftOut: LeftOut[]): ForeignSettings['seeding'] {
  const said = new Map<string, string | null>();
  for (const { name, value } of statements) {
    const [, field] = RATIO.exec(name) ?? [];
    if (field !== undefined) said.set(field, value);
  }
  if (!said.has('enable')) return {};
  const number = (field: string, usual: number) => (said.has(field) ? bytesOf(said.get(field)!, 1) : usual);
  const ratio = { min: number('min', 200), max: number('max', 300), upload: number('upload', 20 * KIB ** 2) };
  const reason = statements.some(({ name, text }) => RATIO_COMMAND.test(`${name} ${text}`))
    ? remark('RATIO_COMMAND')
    : unsaidRatio(ratio);
  if (reason === null) return { ratio_limit: ratio.min! / 100 };
  leftOut.push({ name: remark('RATIO_LIMIT'), reason });
  return {};
}

/** Why a ratio of `min` percent does not say the same; null: it does. */
export function unsaidRatio({ min, max, upload }: Record<'min' | 'max' | 'upload', number | null>): Remark | null {
  if (min === null || max === null || upload === null) return COMPUTED;
  if (min <= 0) return remark('NONE_AT_ALL');
  return upload <= 0 || min === max ? null : remark('RATIO_UPLOAD');
}

const SCHEDULE = /^(?:system\.)?schedule2?$/;
const WATCH = /\bload(?:[._](?:start|normal|verbose))*\s*=\s*([^;"]+)/;
const THROTTLE = /^(?:throttle\.(?:up|down)|throttle_(?:up|down))$/;

function commandsOf(statements: readonly RcStatement[]): LeftOut[] {
  const found = new Map<string, LeftOut>();
  for (const statement of statements) {
    const leftOut = commandLeftOut(statement);
    if (leftOut) found.set(textOf(leftOut.name), leftOut);
  }
  return [...found.values()];
}

/** null: it is no command that would have to come. */
function commandLeftOut({ name, text }: RcStatement): LeftOut | null {
  const first = shortened((text.split(',')[0] ?? '').trim());
  const watched = SCHEDULE.test(name) ? WATCH.exec(text)?.[1]?.trim() : undefined;
  if (watched !== undefined)
    return { name: remark('WATCH_FOLDER', { folder: shortened(watched) }), reason: remark('FOLDER_BY_HAND') };
  if (SCHEDULE.test(name))
    return { name: remark('SCHEDULED_COMMAND', { name: first }), reason: remark('NO_SCHEDULED_COMMANDS') };
  if (THROTTLE.test(name)) return { name: remark('THROTTLE', { name: first }), reason: remark('NO_SHARED_LIMIT') };
  if (/^(?:try_)?import$/.test(name))
    return { name: remark('FILE', { name: shortened(text) }), reason: remark('NO_FILES') };
  if (/^(?:system\.)?method\.set_key$/.test(name))
    return { name: remark('COMMANDS_AT', { event: first }), reason: remark('NO_PROGRAM') };
  return null;
}
