// Programs that people have beside a torrent client, and what each of them asks for, under the names of its own form or
// file. Names of programs and of their fields are not translated.
import type { CompatibleInterface } from '../../../../../shared-protocol/dto/compatible.js';

/** Where this service is, as the browser reached it, and for whom. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The sub-path at which it is; empty: none. */
  readonly base: string;
  readonly username: string;
  /** The API key, while it can be shown. */
  readonly key: string | null;
}

interface Entry {
  readonly field: string;
  /** Empty: it is left as it is, and not shown. */
  readonly value: (connection: Connection) => string;
  /** A switch, which is nothing to copy. */
  readonly isSwitch?: boolean;
}

export interface Tool {
  readonly id: string;
  readonly name: string;
  readonly interface: CompatibleInterface;
  /** Where in the program it is entered; empty: on a command line. */
  readonly where: string;
  readonly entries: readonly Entry[];
}

/** Stands for a key that the page does not know. */
const UNKNOWN_KEY = '<API key>';
const RPC_PATH = '/transmission/rpc';

const host: Entry['value'] = (connection) => connection.host;
const port: Entry['value'] = (connection) => String(connection.port);
const username: Entry['value'] = (connection) => connection.username;
const secret = ({ key }: Connection) => key ?? UNKNOWN_KEY;
const text =
  (words: string): Entry['value'] =>
  () =>
    words;
const scheme = ({ isSecure }: Connection) => (isSecure ? 'https' : 'http');
const secure: Entry['value'] = ({ isSecure }) => (isSecure ? 'on' : 'off');
const url =
  (path = ''): Entry['value'] =>
  (connection) =>
    `${scheme(connection)}://${connection.host}:${connection.port}${connection.base}${path}`;
const signedUrl =
  (path = ''): Entry['value'] =>
  (connection) =>
    `${scheme(connection)}://${encodeURIComponent(connection.username)}:${secret(connection)}@${connection.host}:${connection.port}${connection.base}${path}`;

/** The entries of a tool that are not to be left as they are. */
export function entriesFor({ entries }: Tool, connection: Connection): readonly Entry[] {
  return entries.filter(({ value }) => value(connection) !== '');
}

const SERVARR: readonly Entry[] = [
  { field: 'Host', value: host },
  { field: 'Port', value: port },
  { field: 'Use SSL', value: secure, isSwitch: true },
  { field: 'URL Base', value: ({ base }) => base },
  { field: 'Username', value: username },
  { field: 'Password', value: secret },
];
const WITH_URL: readonly Entry[] = [
  { field: 'URL', value: url() },
  { field: 'Username', value: username },
  { field: 'Password', value: secret },
];

function servarr(name: string, category: string): Tool {
  return {
    id: name.toLowerCase(),
    name,
    interface: 'qbittorrent',
    where: 'Settings → Download Clients → + → qBittorrent',
    entries: [...SERVARR, { field: 'Category', value: text(category) }],
  };
}

export const TOOLS: readonly Tool[] = [
  servarr('Sonarr', 'tv-sonarr'),
  servarr('Radarr', 'radarr'),
  servarr('Lidarr', 'lidarr'),
  servarr('Prowlarr', 'prowlarr'),
  {
    id: 'autobrr',
    name: 'autobrr',
    interface: 'qbittorrent',
    where: 'Settings → Clients → Add new client → qBittorrent',
    entries: [
      { field: 'Host', value: url() },
      { field: 'Username', value: username },
      { field: 'Password', value: secret },
    ],
  },
  {
    id: 'cross-seed',
    name: 'cross-seed',
    interface: 'qbittorrent',
    where: 'config.js',
    entries: [{ field: 'torrentClients', value: (connection) => `["qbittorrent:${signedUrl()(connection)}"]` }],
  },
  {
    id: 'qbit-manage',
    name: 'qbit_manage',
    interface: 'qbittorrent',
    where: 'config.yml, qbt:',
    entries: [
      { field: 'host', value: url() },
      { field: 'user', value: username },
      { field: 'pass', value: secret },
    ],
  },
  {
    id: 'qui',
    name: 'qui',
    interface: 'qbittorrent',
    where: 'Instances → Add instance',
    entries: [{ field: 'Host', value: url() }, ...WITH_URL.slice(1)],
  },
  {
    id: 'flood',
    name: 'Flood',
    interface: 'qbittorrent',
    where: 'Client → qBittorrent',
    entries: WITH_URL,
  },
  {
    id: 'home-assistant',
    name: 'Home Assistant',
    interface: 'qbittorrent',
    where: 'Settings → Devices & services → Add integration → qBittorrent',
    entries: WITH_URL,
  },
  {
    id: 'vuetorrent',
    name: 'VueTorrent',
    interface: 'qbittorrent',
    where: 'vuetorrent-backend',
    entries: [{ field: 'QBIT_BASE', value: url() }, ...WITH_URL.slice(1)],
  },
  {
    id: 'transmission-remote',
    name: 'transmission-remote',
    interface: 'transmission',
    where: '',
    entries: [
      {
        field: '',
        value: (connection) =>
          `transmission-remote ${url('/transmission')(connection)} --auth '${connection.username}:${secret(connection)}' --list`,
      },
    ],
  },
  {
    id: 'trguing',
    name: 'TrguiNG',
    interface: 'transmission',
    where: 'Edit servers → Add server',
    entries: [{ field: 'Server URL', value: url(RPC_PATH) }, ...WITH_URL.slice(1)],
  },
  {
    id: 'tremc',
    name: 'tremc',
    interface: 'transmission',
    where: '',
    entries: [
      {
        field: '',
        value: (connection) =>
          `tremc ${connection.isSecure ? '--ssl ' : ''}--connect '${connection.username}:${secret(connection)}@${connection.host}:${connection.port}'`,
      },
    ],
  },
];
