// Settings of another program that its state tells of beside torrents: sentences that name those which are set and have to be set here
// by hand, with their values. Pure.
import type { IniValues } from './ini-file.js';

const FIELD = 'BitTorrent/Session\\';

/** Values of `qBittorrent.conf`; how many feeds and rules of them there are. */
export function qbittorrentSettings(ini: IniValues, feeds: number, rules: number): string[] {
  const numberOf = (key: string) => Number(ini.get(FIELD + key) ?? 0) || 0;
  const isOn = (key: string) => ini.get(FIELD + key) === 'true';
  return [
    ...speeds('speed limits', 'KiB/s', numberOf('GlobalDLSpeedLimit'), numberOf('GlobalUPSpeedLimit')),
    ...(isOn('BandwidthSchedulerEnabled')
      ? [
          ...speeds(
            'limits by schedule',
            'KiB/s',
            numberOf('AlternativeGlobalDLSpeedLimit'),
            numberOf('AlternativeGlobalUPSpeedLimit'),
          ),
        ]
      : []),
    ...(isOn('IPFilteringEnabled') ? [by(`its IP filter ${ini.get(`${FIELD}IPFilter`) ?? ''}`.trim(), 'is')] : []),
    ...(feeds > 0 ? [by(`${feeds} RSS feeds`, 'are')] : []),
    ...(rules > 0 ? [by(`${rules} rules of RSS`, 'are')] : []),
  ];
}

/** `settings`: of Transmission's `settings.json`. */
export function transmissionSettings(settings: Readonly<Record<string, unknown>>): string[] {
  const numberOf = (key: string) => (typeof settings[key] === 'number' ? settings[key] : 0);
  const limitOf = (key: string) => (settings[`${key}-enabled`] === true ? numberOf(key) : 0);
  const url = settings['blocklist-url'];
  return [
    ...speeds('speed limits', 'kB/s', limitOf('speed-limit-down'), limitOf('speed-limit-up')),
    ...(settings['alt-speed-time-enabled'] === true
      ? speeds('limits by schedule', 'kB/s', numberOf('alt-speed-down'), numberOf('alt-speed-up'))
      : []),
    ...(settings['blocklist-enabled'] === true
      ? [by(`its blocklist ${typeof url === 'string' ? url : ''}`.trim(), 'is')]
      : []),
  ];
}

/** The members of a JSON object, an array or none. */
export function jsonObject(bytes: Buffer | null | undefined): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(bytes?.toString('utf8') ?? '');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function speeds(what: string, unit: string, down: number, up: number): string[] {
  const parts = [...(down > 0 ? [`${down} ${unit} down`] : []), ...(up > 0 ? [`${up} ${unit} up`] : [])];
  return parts.length > 0 ? [by(`its ${what}, ${parts.join(' and ')},`, 'are')] : [];
}

function by(what: string, verb: 'is' | 'are'): string {
  return `${what.slice(0, 300)} ${verb} not taken over, and can be set here`;
}
