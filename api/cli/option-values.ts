// How the values of options are written: one parser for each kind. A parser returns the value or throws a BadValue that
// says what was expected; the caller adds which option it was.
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { Cidr } from '../../shared-protocol/address-policy.js';
import type { PortRange } from '../../shared-protocol/commands/engine-options.js';
import { isInterfaceOrAddress, isProxyHost } from '../../shared-protocol/dto/network.js';
import type { ProxyOptions } from '../../shared-protocol/network/network-options.js';
import { parsePortList } from '../../shared-protocol/port-list.js';
import type { StreamAddress } from '../engine-client/stream-address.js';
import { isPublicKey } from '../services/updater/signature.js';
import { withoutTrailingSlashes } from '../../shared-protocol/trailing-slashes.js';

export class BadValue extends Error {}

export function directory(text: string): string {
  if (text === '' || text.includes('\0')) throw new BadValue('expected a directory');
  return resolve(text);
}

export const file = directory;

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new BadValue('expected a port, 0 to 65535');
  return Number(text);
}

/** In lower case, as Node has the names of headers. Those that proxies set for other ends name no user. */
export function headerName(text: string): string {
  const name = text.toLowerCase();
  if (!/^[a-z\d][a-z\d-]*$/.test(name)) throw new BadValue('expected the name of a header, as Remote-User');
  if (OTHER_HEADERS.test(name)) throw new BadValue('expected a header that nothing else is said in, as Remote-User');
  return name;
}

const OTHER_HEADERS =
  /^(?:swarmd-proxy-key|host|cookie|origin|referer|authorization|sec-.*|content-.*|x-forwarded-(?:for|host|proto))$/;

/** A year at most. */
export function hours(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) > 8_784) throw new BadValue('expected hours, 0 to 8784');
  return Number(text);
}

export function keptBackups(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1) throw new BadValue('expected a number, 1 to 999');
  return Number(text);
}

/** Without the slash at its end; empty: `/`. */
export function basePath(text: string): string {
  const path = withoutTrailingSlashes(text);
  if (!/^(?:\/[\w.~-]+)*$/.test(path) || /\/\.{1,2}(?:\/|$)/.test(path)) {
    throw new BadValue('expected a path like /swarmd/, of letters, digits and - . _ ~');
  }
  return path;
}

/** A port, or several of which the first that is free is taken. */
export function peerPorts(text: string): readonly PortRange[] {
  if (text === '0') return [{ first: 0, last: 0 }];
  const ranges = parsePortList(text);
  if (!ranges || ranges.length === 0) throw new BadValue('expected a port, 0 to 65535, or a list like 6881-6889,51413');
  return ranges;
}

/** An interface, or one of its addresses. */
export function interfaceOrAddress(text: string): string {
  if (!isInterfaceOrAddress(text)) throw new BadValue('expected the name of an interface or an address');
  return text;
}

/** `socks5://name:password@host:port`, or `http://`; with `?guarded` it leads to the internet and nowhere else. */
export function proxy(text: string): ProxyOptions {
  // `socks5:` is no scheme that URL knows: as it stands the port would not be read.
  const [, kind, rest = ''] = /^(socks5|http):\/\/(.+)$/.exec(text) ?? [];
  const url = URL.canParse(`http://${rest}`) ? new URL(`http://${rest}`) : null;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const port = Number(url?.port || 80);
  if ((kind !== 'socks5' && kind !== 'http') || !url || !isProxyHost(host)) throw new BadValue(PROXY_EXPECTED);
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const credentials = username === '' && password === '' ? null : { username, password };
  return { kind, host, port, credentials, peers: true, trackers: true, isGuarded: url.searchParams.has('guarded') };
}

const PROXY_EXPECTED =
  'expected socks5://host:port or http://host:port, with name:password@ before the host if need be';

/** Without TLS nothing leaves this machine. */
export function engineAddress(text: string): StreamAddress {
  const [, path] = /^unix:(\/[^:?#]+)$/.exec(text) ?? [];
  if (path !== undefined) return { kind: 'unix', path: resolve(path) };
  const expected = new BadValue('expected unix:/path/of/socket, tcp://127.0.0.1:PORT or wss://HOST:PORT');
  const [, scheme, rest = ''] = /^(tcp|wss):\/\/([^/?#@]+)$/.exec(text) ?? [];
  const url = URL.canParse(`http://${rest}`) ? new URL(`http://${rest}`) : null;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const port = Number(/:(\d{1,5})$/.exec(rest)?.[1] ?? 0);
  if (host === '' || port < 1 || port > 65_535) throw expected;
  if (scheme === 'wss') return { kind: 'tls', host, port };
  if (!/^127\.|^::1$/.test(host)) throw new BadValue('tcp:// stays on this machine: expected wss://HOST:PORT');
  return { kind: 'tcp', host, port };
}

/** Each connection costs memory: what no one process can want is refused. */
export function peerCount(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 20_000) {
    throw new BadValue('expected a number of connections, 1 to 20000');
  }
  return Number(text);
}

export function httpsUrl(text: string): string {
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') throw new BadValue('expected an https URL');
  return text;
}

export function publicKey(text: string): string {
  if (!isPublicKey(text)) throw new BadValue('expected an ed25519 public key: 32 bytes in base64');
  return text;
}

/** A program by its path: where it is found must not depend on who starts us. */
export function program(text: string): string {
  if (!isAbsolute(text) || text.includes('\0')) throw new BadValue('expected the absolute path of a program');
  return text;
}

/** One text for each argument, as it is: no shell takes them apart. */
export function texts(text: string): readonly string[] {
  const expected = new BadValue('expected a JSON array of texts, as ["--name","{name}"]');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw expected;
  }
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw expected;
  return value;
}

/** Some of these, each once. */
export function someOf<const Choice extends string>(
  ...choices: readonly Choice[]
): (text: string) => readonly Choice[] {
  return (text) => {
    const chosen = new Set(list(text).map(oneOf(...choices)));
    return choices.filter((choice) => chosen.has(choice));
  };
}

/** The same, or `none` of them. */
export function someOrNone<const Choice extends string>(
  ...choices: readonly Choice[]
): (text: string) => readonly Choice[] {
  const some = someOf(...choices);
  return (text) => (text === 'none' ? [] : some(text));
}

export function host(text: string): string {
  if (ipaddr.isValid(text) || isHostName(text)) return text;
  throw new BadValue('expected an address or host name');
}

export function absoluteDirectories(text: string): readonly string[] {
  return list(text).map((path) => {
    if (!isAbsolute(path)) throw new BadValue(`expected absolute directories, not ${JSON.stringify(path)}`);
    return resolve(path);
  });
}

/** Without ports, lower case. */
export function hostNames(text: string): readonly string[] {
  return list(text).map((name) => {
    if (!isHostName(name) && !ipaddr.isValid(name)) {
      throw new BadValue(`expected host names, not ${JSON.stringify(name)}`);
    }
    return name.toLowerCase();
  });
}

export function cidrs(text: string): readonly Cidr[] {
  return list(text).map((range) => {
    if (ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range);
    if (!ipaddr.isValid(range)) throw new BadValue(`expected CIDR ranges, not ${JSON.stringify(range)}`);
    const address = ipaddr.process(range);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}

/** Addresses, not names: who would resolve those? IPv6 with a port stands in brackets. */
export function nameServers(text: string): readonly string[] {
  return list(text).map((server) => {
    const [, inBrackets, plain, port = '53'] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/.exec(server) ?? [];
    const isServer = isIP(inBrackets ?? plain ?? server) !== 0 && Number(port) >= 1 && Number(port) <= 65_535;
    if (!isServer) throw new BadValue(`expected addresses, not ${JSON.stringify(server)}`);
    return server;
  });
}

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

export function hostsAndPorts(text: string): readonly HostAndPort[] {
  return list(text).map((item) => {
    const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(item);
    const name = match?.[1] ?? match?.[2] ?? '';
    const number = Number(match?.[3] ?? 0);
    if (number < 1 || number > 65_535 || !(ipaddr.isValid(name) || isHostName(name))) {
      throw new BadValue(`expected host:port, not ${JSON.stringify(item)}`);
    }
    return { host: name, port: number };
  });
}

export function onOff(text: string): boolean {
  if (text === 'on' || text === 'true' || text === '1') return true;
  if (text === 'off' || text === 'false' || text === '0') return false;
  throw new BadValue('expected on or off');
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new BadValue(`expected ${choices.join(' or ')}`);
    return choice;
  };
}

function list(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new BadValue('expected a list separated by commas');
  return items;
}

function isHostName(text: string): boolean {
  return /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}))*\.?$/.test(text);
}
