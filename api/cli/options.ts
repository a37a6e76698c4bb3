// The command line and its environment variables, from one schema: types, parsing, checks and `--help` are derived from
// it. Pure: what it needs of the world comes as arguments. A flag beats the environment; both beat stored settings,
// which is why a flag that has one is null here when it was not given.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COMPATIBLE_INTERFACES, type CompatibleInterface } from '../../shared-protocol/dto/compatible.js';
import { HOOK_EVENTS, type HookEvent } from '../../shared-protocol/hook-events.js';
import { engineAt, type EngineAt } from '../engine-client/stream-address.js';
import * as value from './option-values.js';

interface OptionSpec<Value> {
  readonly argument: string | null;
  readonly parse: (text: string) => Value;
  readonly help: string;
  /** The value that `--help` says is used when the option is not given. */
  readonly fallback?: string;
}

function spec<Value>(argument: string, parse: (text: string) => Value, help: string, fallback?: string) {
  return { argument, parse, help, ...(fallback === undefined ? {} : { fallback }) } satisfies OptionSpec<Value>;
}

function toggle(help: string): OptionSpec<boolean> {
  return { argument: null, parse: value.onOff, help };
}

const DECLARED = {
  'data-dir': spec('DIR', value.directory, 'all state; one running instance per directory', '~/.local/share/swarmd'),
  'save-path': spec(
    'DIR',
    value.directory,
    'the initial global save path; once stored it is changed in the settings',
    '~/Downloads',
  ),
  host: spec('ADDR', value.host, 'address of the HTTP listener', 'the stored setting: 127.0.0.1'),
  port: spec('N', value.port, 'port of the HTTP listener; 0 picks a free one', 'the stored setting: 9480'),
  'peer-port': spec(
    'N,…',
    value.peerPorts,
    'port for peers, or a list (6881-6889,51413): the first that is free; 0 picks one',
    'the stored setting',
  ),
  bind: spec('IF|ADDR', value.interfaceOrAddress, 'reach others by this interface or not at all', 'the stored setting'),
  proxy: spec('URL', value.proxy, 'socks5:// or http://, for peers and trackers', 'the stored setting'),
  anonymous: spec('on|off', value.onOff, 'tell others little of this program', 'the stored setting'),
  'portable-names': spec(
    'on|off',
    value.onOff,
    'new torrents get names on disk that Windows has as well',
    'the stored setting (off)',
  ),
  'max-peers': spec('N', value.peerCount, 'peer connections of all torrents together', 'the stored setting (1000)'),
  flavor: spec('daemon|desktop', value.oneOf('daemon', 'desktop'), 'which build to run as', 'daemon'),
  browser: spec('on|off', value.onOff, 'desktop: open the sign-in link in the browser', 'on'),
  'admin-password-file': spec('FILE', value.file, 'first start: holds the password of the account admin'),
  'allowed-paths': spec('DIR,…', value.absoluteDirectories, 'save paths that may be used'),
  'import-paths': spec(
    'DIR,…',
    value.absoluteDirectories,
    'where states of other programs may be imported from',
    'anywhere',
  ),
  'backup-dir': spec('DIR', value.directory, 'where backups are written', 'backups in the data directory'),
  'backup-every': spec('HOURS', value.hours, 'hours between backups that are made by themselves; 0: none', '0'),
  'backup-keep': spec('N', value.keptBackups, 'backups made by themselves that are kept', '7'),
  'allowed-hosts': spec('HOST,…', value.hostNames, 'Host headers that are answered'),
  'base-path': spec('PATH', value.basePath, 'sub-path at which a reverse proxy has it: /swarmd/', '/'),
  'trusted-proxies': spec('CIDR,…', value.cidrs, 'who may set X-Forwarded-*'),
  'proxy-user-header': spec(
    'HEADER',
    value.headerName,
    'names the user whom a trusted proxy has signed in, as Remote-User; with --proxy-key-file',
    'nobody is signed in by a proxy',
  ),
  'proxy-key-file': spec('FILE', value.file, 'holds the key that the proxy shows in Swarmd-Proxy-Key'),
  compatible: spec(
    'NAME,…|none',
    value.someOrNone(...COMPATIBLE_INTERFACES),
    'interfaces of other programs that are answered: qbittorrent, transmission',
    'the stored setting: both',
  ),
  'allow-missing-origin': toggle('let cookie requests without Origin and Referer change things'),
  'fetch-allow': spec('CIDR,…', value.cidrs, 'ranges inside that torrents and fetches of everybody may reach'),
  'name-servers': spec('ADDR,…', value.nameServers, 'DNS servers, with :PORT if not 53', "the system's"),
  'hook-program': spec('FILE', value.program, 'run when something happens to a torrent, without a shell'),
  'hook-arguments': spec(
    'JSON',
    value.texts,
    'its arguments, in which {event}, {infohash}, {name}, {path}, … are filled in',
    '["{event}","{infohash}"]',
  ),
  'hook-events': spec('EVENT,…', value.someOf(...HOOK_EVENTS), 'when it is run', HOOK_EVENTS.join(',')),
  'update-url': spec('URL', value.httpsUrl, 'manifest of releases; none: no updates are looked for'),
  'update-key': spec('KEY', value.publicKey, 'ed25519 key that manifests must be signed with', "this build's, if any"),
  engine: spec(
    'ADDRESS',
    value.engineAddress,
    'an engine of its own process: unix:PATH, tcp://127.0.0.1:PORT or wss://HOST:PORT',
    'a thread of this one',
  ),
  'engine-token-file': spec('FILE', value.file, 'holds the token that it asks for'),
  'engine-ca': spec('FILE', value.file, 'authority of its certificate', "the system's"),
  'engine-cert': spec('FILE', value.file, 'certificate that it asks for, with --engine-key'),
  'engine-key': spec('FILE', value.file, 'private key of that certificate'),
  'database-file': spec(
    'FILE',
    value.file,
    'holds postgres://…, where fronts share accounts, settings and lists',
    'files in the data directory',
  ),
  engines: spec('FILE', value.file, 'several engines, each with its name, address and files, as JSON'),
  'tls-cert': spec('FILE', value.file, 'certificate for HTTPS, with --tls-key'),
  'tls-key': spec('FILE', value.file, 'private key for HTTPS, with --tls-cert'),
  'dht-bootstrap': spec('HOST:PORT,…', value.hostsAndPorts, 'first nodes of the DHT', 'the public routers'),
  encryption: spec(
    'MODE',
    value.oneOf('required', 'preferred', 'allowed', 'off'),
    'peer encryption in this run: required, preferred, allowed or off',
    'the stored setting',
  ),
  dht: spec('on|off', value.onOff, 'DHT in this run', 'the stored setting'),
  lsd: spec('on|off', value.onOff, 'local service discovery in this run', 'the stored setting'),
  upnp: spec('on|off', value.onOff, 'port forwarding in this run', 'the stored setting'),
  'log-level': spec(
    'LEVEL',
    value.oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'trace, debug, info, warn, error or silent',
    'info',
  ),
};

type Flag = keyof typeof DECLARED;
type Values = { [Name in Flag]: ReturnType<(typeof DECLARED)[Name]['parse']> };
type Given = Partial<Values>;

const SPECS: { readonly [Name in Flag]: OptionSpec<Values[Name]> } = DECLARED;

const SYNTAX = Object.fromEntries(
  flags().map((flag) => [flag, { type: SPECS[flag].argument === null ? 'boolean' : 'string' } as const]),
);

/** The options that a run was started with. Null: not given, the stored setting or a default of its owner holds. */
export interface Options {
  readonly dataDir: string;
  readonly savePath: string | null;
  readonly host: string | null;
  readonly port: number | null;
  /** One alone. */
  readonly peerPort: number | null;
  /** Several, of which the first that is free is taken. */
  readonly peerPorts: Values['peer-port'] | null;
  readonly bind: string | null;
  readonly proxy: Values['proxy'] | null;
  readonly anonymous: boolean | null;
  readonly portableNames: boolean | null;
  /** Connections of all torrents together; fewer where there are not enough descriptors. */
  readonly maxPeers: number | null;
  readonly flavor: 'daemon' | 'desktop';
  readonly browser: boolean;
  readonly adminPasswordFile: string | null;
  readonly allowedPaths: readonly string[];
  /** None: anywhere. */
  readonly importPaths: readonly string[];
  readonly backupDir: string;
  /** 0: none are made by themselves. */
  readonly backupEveryHours: number;
  readonly backupKeep: number;
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: ReturnType<typeof value.cidrs>;
  /** null: nobody is signed in by a proxy. */
  readonly proxyUsers: {
    /** In lower case. */
    readonly userHeader: string;
    readonly keyFile: string;
  } | null;
  /** Begins with a slash and ends without one; empty: none. */
  readonly basePath: string;
  /** Interfaces that are on in this run. */
  readonly compatible: readonly CompatibleInterface[] | null;
  readonly allowMissingOrigin: boolean;
  readonly fetchAllow: ReturnType<typeof value.cidrs>;
  /** null: the system's. */
  readonly nameServers: readonly string[] | null;
  /** null: none is run. */
  readonly hookProgram: {
    readonly file: string;
    readonly args: readonly string[];
    readonly events: readonly HookEvent[];
  } | null;
  /** null: a thread of this process. */
  readonly engine: EngineAt | null;
  /** Holds where the database is that fronts share; null: records are files of the data directory. */
  readonly databaseFile: string | null;
  /** Names several in place of one; null: there are none. */
  readonly enginesFile: string | null;
  readonly updateUrl: string | null;
  /** In base64. */
  readonly updateKey: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  readonly dhtBootstrap: readonly value.HostAndPort[] | null;
  readonly encryption: 'required' | 'preferred' | 'allowed' | 'off' | null;
  readonly dht: boolean | null;
  readonly lsd: boolean | null;
  readonly upnp: boolean | null;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

export type ParsedCommandLine =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  /** One line for standard error. */
  | { readonly kind: 'error'; readonly message: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/** `args` without the program; an empty variable counts as not set. */
export function parseCommandLine(args: readonly string[], env: Environment, home = homedir()): ParsedCommandLine {
  const given: Given = {};
  try {
    for (const flag of flags()) {
      const text = env[variableOf(flag)];
      if (text) accept(given, flag, text, variableOf(flag));
    }
    // Not strict: its own errors are no sentences in our words, and stop before an earlier --help.
    for (const token of parseArgs({ args: [...args], options: SYNTAX, strict: false, tokens: true }).tokens) {
      const written = args[token.index]!;
      if (written === '--help' || written === '-h') return { kind: 'help', text: helpText() };
      if (written === '--version') return { kind: 'version' };
      const flag = flags().find((name) => token.kind === 'option' && token.rawName === `--${name}`);
      if (token.kind !== 'option' || !flag) throw new value.BadValue(`unknown argument ${JSON.stringify(written)}`);
      const text = token.value ?? (SPECS[flag].argument === null ? 'on' : undefined);
      if (text === undefined || (!token.inlineValue && text.startsWith('--'))) {
        throw new value.BadValue(`--${flag} needs a value`);
      }
      accept(given, flag, text, token.rawName);
    }
    return { kind: 'run', options: complete(given, env, home) };
  } catch (error) {
    if (error instanceof value.BadValue) return { kind: 'error', message: `swarmd: ${error.message} (see --help)` };
    throw error;
  }
}

function complete(given: Given, env: Environment, home: string): Options {
  const certFile = given['tls-cert'];
  const keyFile = given['tls-key'];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new value.BadValue('--tls-cert and --tls-key go together');
  }
  const dataDir = given['data-dir'] ?? join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'swarmd');
  return {
    dataDir,
    savePath: given['save-path'] ?? null,
    host: given.host ?? null,
    port: given.port ?? null,
    ...peerPorts(given['peer-port'] ?? null),
    bind: given.bind ?? null,
    proxy: given.proxy ?? null,
    anonymous: given.anonymous ?? null,
    portableNames: given['portable-names'] ?? null,
    maxPeers: given['max-peers'] ?? null,
    flavor: given.flavor ?? 'daemon',
    browser: given.browser ?? true,
    adminPasswordFile: given['admin-password-file'] ?? null,
    allowedPaths: given['allowed-paths'] ?? [],
    importPaths: given['import-paths'] ?? [],
    backupDir: given['backup-dir'] ?? join(dataDir, 'backups'),
    backupEveryHours: given['backup-every'] ?? 0,
    backupKeep: given['backup-keep'] ?? 7,
    allowedHosts: given['allowed-hosts'] ?? [],
    trustedProxies: given['trusted-proxies'] ?? [],
    proxyUsers: proxyUsersOf(given),
    basePath: given['base-path'] ?? '',
    compatible: given.compatible ?? null,
    allowMissingOrigin: given['allow-missing-origin'] ?? false,
    fetchAllow: given['fetch-allow'] ?? [],
    nameServers: given['name-servers'] ?? null,
    hookProgram: hookProgramOf(given),
    engine: engineOf(given),
    enginesFile: enginesFileOf(given),
    databaseFile: given['database-file'] ?? null,
    updateUrl: given['update-url'] ?? null,
    updateKey: given['update-key'] ?? null,
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : null,
    dhtBootstrap: given['dht-bootstrap'] ?? null,
    encryption: given.encryption ?? null,
    dht: given.dht ?? null,
    lsd: given.lsd ?? null,
    upnp: given.upnp ?? null,
    logLevel: given['log-level'] ?? 'info',
  };
}

function proxyUsersOf(given: Given): Options['proxyUsers'] {
  const { 'proxy-user-header': userHeader, 'proxy-key-file': keyFile, 'trusted-proxies': proxies = [] } = given;
  if (userHeader === undefined && keyFile === undefined) return null;
  if (userHeader === undefined || keyFile === undefined || proxies.length === 0) {
    throw new value.BadValue('--proxy-user-header, --proxy-key-file and --trusted-proxies go together');
  }
  return { userHeader, keyFile };
}

function hookProgramOf(given: Given): Options['hookProgram'] {
  const file = given['hook-program'];
  const { 'hook-arguments': args, 'hook-events': events } = given;
  if (file === undefined) {
    if (args ?? events) throw new value.BadValue('--hook-arguments and --hook-events go with --hook-program');
    return null;
  }
  return { file, args: args ?? ['{event}', '{infohash}'], events: events ?? HOOK_EVENTS };
}

function engineOf(given: Given): EngineAt | null {
  const { engine: address, 'engine-token-file': tokenFile = null, 'engine-ca': authorityFile = null } = given;
  const { 'engine-cert': certFile = null, 'engine-key': keyFile = null } = given;
  if (!address) {
    if (tokenFile ?? authorityFile ?? certFile ?? keyFile) throw new value.BadValue('--engine-… go with --engine');
    return null;
  }
  const names = { authority: '--engine-ca', cert: '--engine-cert', key: '--engine-key' };
  const at = engineAt(address, { tokenFile, authorityFile, certFile, keyFile }, names);
  if (typeof at === 'string') throw new value.BadValue(at);
  return at;
}

/** Several take the place of one. */
function enginesFileOf({ engine, engines }: Given): string | null {
  if (engine && engines !== undefined) throw new value.BadValue('--engine and --engines: one or the other');
  return engines ?? null;
}

function peerPorts(given: Values['peer-port'] | null): Pick<Options, 'peerPort' | 'peerPorts'> {
  const [one] = given ?? [];
  const isOne = given?.length === 1 && one && one.first === one.last;
  return isOne ? { peerPort: one.first, peerPorts: null } : { peerPort: null, peerPorts: given };
}

function accept<Name extends Flag>(given: Given, flag: Name, text: string, writtenAs: string): void {
  const { parse } = SPECS[flag];
  try {
    given[flag] = parse(text);
  } catch (error) {
    if (!(error instanceof value.BadValue)) throw error;
    throw new value.BadValue(`${writtenAs} ${JSON.stringify(text)}: ${error.message}`);
  }
}

function flags(): Flag[] {
  return Object.keys(SPECS) as Flag[]; // the keys of the constant above
}

function variableOf(flag: Flag): string {
  return `SWARMD_${flag.toUpperCase().replaceAll('-', '_')}`;
}

function helpText(): string {
  const lines = flags().map((flag) => {
    const { argument, help, fallback } = SPECS[flag];
    const usage = `  --${flag}${argument === null ? '' : ` ${argument}`}`;
    return `${usage.padEnd(34)} ${help}${fallback === undefined ? '' : ` (default: ${fallback})`}`;
  });
  return [
    'Usage: swarmd [options]',
    '       swarmd COMMAND …   for a daemon that runs: add, list, show, pause, resume, remove, user, doctor (swarmd help)',
    '',
    ...lines,
    '  --help, --version',
    '',
    'Each option has an environment variable: --data-dir is SWARMD_DATA_DIR, and so on.',
    '',
  ].join('\n');
}
