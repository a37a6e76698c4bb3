// What an address is to us: of the public internet, or inside, where services trust every client that can reach them:
// this machine, the networks around it, and what no stranger may be led to. One judgement for both threads: for
// fetches, trackers, web seeds and peers. Pure; who may reach inside is the callers' business.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: the network and how many bits of it count. */
export type Cidr = readonly [Address, number];

/**
 * `public`: of the internet. `allowed`: inside, and opened for everybody by `--fetch-allow`. `inside`: only for those who
 * may reach inside. `never`: for no caller: no address, multicast or broadcast, or instance metadata.
 */
export type Standing = 'public' | 'allowed' | 'inside' | 'never';

/** Cloud instance metadata (AWS, ECS, Alibaba, Azure): hands out credentials, so only its very address opens it. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
]);

/** All public IPv6 there is (RFC 4291); the ranges inside it that are none are left to the table of ipaddr.js. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** RFC 8215: translators of a network of one's own. */
const LOCAL_NAT64 = ipaddr.parseCIDR('64:ff9b:1::/48');

/** Ports below belong to services; a stranger who names one wants its host to be pestered. */
const FIRST_UNPRIVILEGED_PORT = 1_024;

export class AddressPolicy {
  /** `allowed`: the ranges of `--fetch-allow`. `isOwn`: whether a literal is an address of this machine's interfaces. */
  constructor(
    private readonly allowed: readonly Cidr[] = [],
    private readonly isOwn: (literal: string) => boolean = () => false,
  ) {}

  /** A literal, in brackets or not, with a zone or not. */
  standingOf(literal: string): Standing {
    const address = parseLiteral(literal);
    return address ? this.#judge(address) : 'never';
  }

  /** Whether we may connect there, whichever account or peer names it. */
  isOpen(literal: string): boolean {
    const standing = this.standingOf(literal);
    return standing === 'public' || standing === 'allowed';
  }

  /** Whether packets there come back to this machine: to services that take us for a user who is signed in. */
  isThisMachine(literal: string): boolean {
    const address = parseLiteral(literal);
    if (!address) return false;
    return [address, ...carriedBy(address)].some((candidate) => {
      const range = candidate.range();
      return range === 'loopback' || range === 'unspecified' || this.isOwn(candidate.toString());
    });
  }

  #judge(address: Address): Standing {
    if (isMetadata(address)) return this.#isNamed(address) ? 'allowed' : 'never';
    if (this.allowed.some((range) => contains(range, address))) return isPublic(address) ? 'public' : 'allowed';
    const range = address.range();
    if (range === 'multicast' || range === 'broadcast') return 'never';
    return isPublic(address) && !this.isThisMachine(address.toString()) ? 'public' : 'inside';
  }

  /** Whether a range of this one address opens it: an administrator who opens a network may not know its inside. */
  #isNamed(address: Address): boolean {
    return this.allowed.some((range) => range[1] === address.toByteArray().length * 8 && contains(range, address));
  }
}

/** Where packets to a literal go, in its usual spelling: mapped and translated IPv4 as such. Itself when it is none. */
export function plainAddress(literal: string): string {
  return parseLiteral(literal)?.toString() ?? literal;
}

export function isPrivilegedPort(port: number): boolean {
  return port < FIRST_UNPRIVILEGED_PORT;
}

/** Networks as `--fetch-allow` writes them, and as they cross threads. @throws what ipaddr.js throws for anything else */
export function parseCidrs(texts: readonly string[]): Cidr[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

export function formatCidr([network, bits]: Cidr): string {
  return `${network.toString()}/${bits}`;
}

/** An IPv4 address that is mapped into IPv6, or that a translator stands for (NAT64), is where packets go. */
function parseLiteral(literal: string): Address | null {
  const bare = literal.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  // Stricter than ipaddr.js, which takes 127.1 for an address as well.
  if (isIP(bare) === 0) return null;
  const address = ipaddr.process(bare);
  if (!(address instanceof ipaddr.IPv6) || address.range() !== 'rfc6052') return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** An address that carries another one (6to4, Teredo, deprecated forms) is not public: its packets may end up anywhere. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address);
}

function contains([network, bits]: Cidr, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

function isMetadata(address: Address): boolean {
  return [address, ...carriedBy(address)].some((candidate) => METADATA_ADDRESSES.has(candidate.toString()));
}

/** Where packets to a translated, 6to4 or IPv4-compatible address may end up. */
function carriedBy(address: Address): Address[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === '6to4') return [new ipaddr.IPv4(bytes.slice(2, 6))];
  // :: and ::1 are addresses of their own.
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0) && (bytes[12] ?? 0) !== 0;
  if (isCompatible || range === 'rfc6145' || contains(LOCAL_NAT64, address)) return [new ipaddr.IPv4(bytes.slice(12))];
  return [];
}
