// The command line of an engine of its own process: `swarmd engine`, and what each option is called in the environment.
// Pure: files are read by others.
import { BlockList, isIP } from 'node:net';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { formatCidr, parseCidrs } from '../shared-protocol/address-policy.js';
import type { LogLevel } from '../shared-protocol/commands/engine-options.js';
import { LOG_LEVELS } from '../shared-protocol/log-levels.js';
import type { Root } from '../shared-protocol/stream/messages.js';
import type { ListenAt } from './front-listener.js';

export interface EngineProcessOptions {
  readonly listen: ListenAt;
  /** null: whoever may open the Unix socket. */
  readonly tokenFile: string | null;
  readonly tls: {
    readonly certFile: string;
    readonly keyFile: string;
    readonly clientAuthorityFile: string | null;
  } | null;
  readonly dataDir: string;
  /** Absolute paths as they were written; none: anywhere. */
  readonly roots: readonly Root[];
  /** Roots that other engines have as well, at the same paths. */
  readonly sharedRoots: readonly Root[];
  /** Fronts that may be connected at a time. */
  readonly maxFronts: number;
  /** null: as the front says. */
  readonly peerPort: number | null;
  readonly fetchAllow: readonly string[] | null;
  readonly logLevel: LogLevel;
}

export type ParsedEngineOptions =
  | { readonly kind: 'run'; readonly options: EngineProcessOptions }
  | { readonly kind: 'help'; readonly text: string }
  /** A line for standard error. */
  | { readonly kind: 'error'; readonly message: string };

interface Given {
  readonly listen?: ListenAt;
  readonly tokenFile?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly clientCa?: string;
  readonly dataDir?: string;
  readonly roots?: readonly Root[];
  readonly sharedRoots?: readonly Root[];
  readonly fronts: number;
  readonly peerPort?: number;
  readonly fetchAllow?: readonly string[];
  readonly logLevel: LogLevel;
}

/** `args` without `engine`. Variables are read from the process's environment. */
export function parseEngineOptions(args: readonly string[]): ParsedEngineOptions {
  const said: string[] = [];
  const command = engineCommand();
  command.exitOverride().configureOutput({
    writeOut: (text) => said.push(text),
    writeErr: (text) => said.push(text),
    outputError: (text, write) => write(text.replace(/^error: /, '')),
  });
  try {
    command.parse([...args], { from: 'user' });
    return { kind: 'run', options: complete(command.opts<Given>()) };
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.helpDisplayed') {
      return { kind: 'help', text: said.join('') };
    }
    if (!(error instanceof Error)) throw error;
    const reason = said.join('').trim() || error.message;
    return { kind: 'error', message: `swarmd engine: ${reason} (see swarmd engine --help)` };
  }
}

function engineCommand(): Command {
  return new Command('swarmd engine')
    .description('An engine of its own process, to which a front connects: swarmd --engine …')
    .addOption(option('--listen <ADDRESS>', 'unix:PATH, or tcp://HOST:PORT', listenAt).makeOptionMandatory())
    .addOption(option('--token-file <FILE>', 'tokens of which a front has to have one; made if it is not there', path))
    .addOption(
      option('--tls-cert <FILE>', 'certificate, with --tls-key; beyond this machine nothing goes without', path),
    )
    .addOption(option('--tls-key <FILE>', 'its private key', path))
    .addOption(option('--client-ca <FILE>', 'authority whose certificates fronts have to have', path))
    .addOption(option('--data-dir <DIR>', 'all state; one engine per directory', path))
    .addOption(option('--roots <NAME=DIR,…>', 'folders below which torrents may be saved', roots))
    .addOption(option('--shared-roots <NAME=DIR,…>', 'roots that other engines have at the same paths', roots))
    .addOption(option('--fronts <N>', 'fronts of one database that may be connected at a time', fronts).default(1))
    .addOption(option('--peer-port <N>', 'port for peers, whatever the front says', port))
    .addOption(
      option('--fetch-allow <CIDR,…>', 'ranges inside that torrents may reach, whatever the front says', cidrs),
    )
    .addOption(
      option('--log-level <LEVEL>', LOG_LEVELS.join(', '))
        .choices([...LOG_LEVELS])
        .default('info'),
    );
}

function option(flags: string, help: string, parse?: (text: string) => unknown): Option {
  const made = new Option(flags, help);
  const name = made.long?.slice('--'.length).toUpperCase().replaceAll('-', '_') ?? '';
  made.env(`SWARMD_ENGINE_${name}`);
  return parse ? made.argParser(parse) : made;
}

function complete(given: Given): EngineProcessOptions {
  const { listen, tokenFile = null, tlsCert, tlsKey, clientCa = null } = given;
  if (!listen) throw new Error('--listen is needed');
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new Error('--tls-cert and --tls-key go together');
  const tls =
    tlsCert !== undefined && tlsKey !== undefined
      ? { certFile: tlsCert, keyFile: tlsKey, clientAuthorityFile: clientCa }
      : null;
  if (clientCa !== null && !tls) throw new Error('--client-ca goes with --tls-cert and --tls-key');
  if (listen.kind === 'tcp') {
    if (tokenFile === null) throw new Error('--token-file is needed with tcp://');
    if (!tls && !isLoopback(listen.host)) throw new Error(`--tls-cert is needed to listen at ${listen.host}`);
  }
  return {
    ...{ listen, tokenFile, tls },
    dataDir: given.dataDir ?? join(process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'swarmd-engine'),
    ...rootsOf(given),
    maxFronts: given.fronts,
    peerPort: given.peerPort ?? null,
    fetchAllow: given.fetchAllow ?? null,
    logLevel: given.logLevel,
  };
}

function rootsOf({ roots = [], sharedRoots = [] }: Given): Pick<EngineProcessOptions, 'roots' | 'sharedRoots'> {
  const twice = roots.find(({ name }) => sharedRoots.some((shared) => shared.name === name));
  if (twice) throw new Error(`--roots and --shared-roots: both have the name ${twice.name}`);
  return { roots, sharedRoots };
}

/** Where a front reaches an engine, too: `unix:/run/swarmd/alice.sock`, `tcp://127.0.0.1:9490`. */
function listenAt(text: string): ListenAt {
  const [, socket] = /^unix:(\/.+)$/.exec(text) ?? [];
  if (socket !== undefined) return { kind: 'unix', path: resolve(socket) };
  const [, host = '', digits = ''] = /^tcp:\/\/(\[[0-9a-fA-F:.]+\]|[\d.]+):(\d{1,5})$/.exec(text) ?? [];
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0 || Number(digits) > 65_535) {
    throw new InvalidArgumentError('expected unix:/path/of/socket or tcp://ADDRESS:PORT');
  }
  return { kind: 'tcp', host: address, port: Number(digits) };
}

function path(text: string): string {
  if (text === '' || text.includes('\0')) throw new InvalidArgumentError('expected a path');
  return resolve(text);
}

function roots(text: string): readonly Root[] {
  const found = text.split(',').map((item) => {
    const [, name = '', folder = ''] = /^([\w.-]{1,64})=(.+)$/.exec(item) ?? [];
    if (!isAbsolute(folder))
      throw new InvalidArgumentError('expected NAME=/absolute/folder, and commas between several');
    return { name, path: resolve(folder) };
  });
  if (new Set(found.map(({ name }) => name)).size < found.length)
    throw new InvalidArgumentError('a name is there twice');
  return found;
}

const MAX_FRONTS = 16;

function fronts(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > MAX_FRONTS) {
    throw new InvalidArgumentError(`expected a number of fronts, 1 to ${MAX_FRONTS}`);
  }
  return Number(text);
}

function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('expected a port, 0 to 65535');
  return Number(text);
}

function cidrs(text: string): readonly string[] {
  try {
    return parseCidrs(text.split(',')).map(formatCidr);
  } catch {
    throw new InvalidArgumentError('expected ranges like 10.0.0.0/8, and commas between several');
  }
}

function isLoopback(address: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
