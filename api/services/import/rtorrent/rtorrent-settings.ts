// What `.rtorrent.rc` says of limits and seeding, under the names of 0.9 and those of before, and which other settings it has. Of
// several that say the same the last one holds. Pure.
import type { ForeignSettings, LeftOut } from '../foreign-settings.js';
import { REASONS, shortened, withoutAbsent } from '../settings-values.js';
import type { RcStatement } from './rc-file.js';

const KIB = 1_024;
const COMPUTED = 'its value is computed there';
const BY_HAND = 'it is set here by hand';
const PEERS = 'connections are counted otherwise here, and set by hand';

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
const SHOWN_RATES = { down_kbps: 'speed limit down', up_kbps: 'speed limit up' } as const;
const RATIO = /^(?:group2?\.seeding\.)?ratio\.(enable|min|max|upload)(?:\.set)?$/;
const RATIO_COMMAND = /group2?\.seeding\.ratio\.command/;
/** Shown with their values. */
const NAMED: readonly (readonly [names: readonly string[], what: string, reason: string])[] = [
  [['network.port_range.set', 'port_range'], 'ports', BY_HAND],
  [['network.port_random.set', 'port_random'], 'port by chance', BY_HAND],
  [['dht.mode.set', 'dht'], 'DHT', BY_HAND],
  [['protocol.pex.set', 'peer_exchange'], 'peer exchange', BY_HAND],
  [['protocol.encryption.set', 'encryption'], 'encryption', BY_HAND],
  [['trackers.use_udp.set', 'use_udp_trackers'], 'UDP trackers', BY_HAND],
  [['network.bind_address.set', 'bind'], 'address of peers', BY_HAND],
  [['throttle.max_peers.normal.set', 'max_peers'], 'peers of a download', PEERS],
  [['throttle.max_peers.seed.set', 'max_peers_seed'], 'peers of a seed', PEERS],
  [['throttle.max_uploads.set', 'max_uploads'], 'uploads of a torrent', PEERS],
  [['throttle.max_uploads.global.set', 'max_uploads_global'], 'uploads of all', PEERS],
  [['throttle.max_downloads.global.set', 'max_downloads_global'], 'downloads of all', PEERS],
  [
    ['directory.default.set', 'directory'],
    'folder of new torrents',
    'it is set here by hand; torrents that come along keep theirs',
  ],
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
  for (const [names, what, reason] of NAMED) {
    const last = statements.findLast(({ name }) => names.includes(name));
    if (last) leftOut.push(last.value === null ? computed(what) : { name: `${what} ${shortened(last.value)}`, reason });
  }
  if (statements.some(({ name }) => SECRET.test(name)))
    leftOut.push({ name: 'proxy', reason: 'it is set here by hand, with its password' });
  return { limits, seeding, leftOut: [...leftOut, ...commandsOf(statements)] };
}

function computed(name: string): LeftOut {
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
    ? 'a command of its own is run there when it is reached'
    : unsaidRatio(ratio);
  if (reason === null) return { ratio_limit: ratio.min! / 100 };
  leftOut.push({ name: 'ratio limit', reason });
  return {};
}

/** Why a ratio of `min` percent does not say the same; null: it does. */
export function unsaidRatio({ min, max, upload }: Record<'min' | 'max' | 'upload', number | null>): string | null {
  if (min === null || max === null || upload === null) return COMPUTED;
  if (min <= 0) return REASONS.noneAtAll;
  return upload <= 0 || min === max ? null : 'it asks for so much to be uploaded besides, which no limit does here';
}

const SCHEDULE = /^(?:system\.)?schedule2?$/;
const WATCH = /\bload(?:[._](?:start|normal|verbose))*\s*=\s*([^;"]+)/;
const THROTTLE = /^(?:throttle\.(?:up|down)|throttle_(?:up|down))$/;

function commandsOf(statements: readonly RcStatement[]): LeftOut[] {
  const found = new Map<string, string>();
  for (const { name, text } of statements) {
    const [first = ''] = text.split(',').map((part) => part.trim());
    const watched = SCHEDULE.test(name) ? WATCH.exec(text)?.[1]?.trim() : undefined;
    if (watched !== undefined) found.set(`watch folder ${shortened(watched)}`, 'one is chosen here by hand');
    else if (SCHEDULE.test(name)) found.set(`schedule ${shortened(first)}`, 'commands at times are not taken over');
    else if (THROTTLE.test(name)) found.set(`throttle ${shortened(first)}`, 'torrents share no limit here');
    else if (/^(?:try_)?import$/.test(name))
      found.set(`file ${shortened(text)}`, 'files that are brought in are not read');
    else if (/^(?:system\.)?method\.set_key$/.test(name))
      found.set(`commands at ${shortened(first)}`, 'no program is taken over');
  }
  return [...found].map(([name, reason]) => ({ name, reason }));
}
