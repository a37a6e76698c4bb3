// The networks that this machine is attached to: where to announce, and whose word counts. A snapshot of the interfaces
// at one time; loopback is not a network.
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

/** Linux lets a socket join 20 groups (`igmp_max_memberships`). */
const MAX_INTERFACES = 16;

/** Interfaces as `os.networkInterfaces()` gives them: only those that are up. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

export interface LocalInterface {
  readonly name: string;
  readonly family: 4 | 6;
  readonly address: string;
}

export interface LocalNetworks {
  /** One for each interface and family, 16 of a family at most. */
  readonly interfaces: readonly LocalInterface[];
  /** Whether this address is in the netmask of one of our interfaces. */
  isAttached(address: string): boolean;
  /** Whether this address is one of ours. */
  isOwn(address: string): boolean;
}

/**
 * IPv6 link-local addresses are left out: they mean nothing without the interface's name, which peer addresses do not
 * carry, and hosts that have no other IPv6 address speak IPv4.
 */
export function localNetworks(all: Interfaces): LocalNetworks {
  const attached = new BlockList();
  const own = new Set<string>();
  const interfaces: LocalInterface[] = [];
  for (const [name, infos] of Object.entries(all)) {
    const families = new Set<4 | 6>();
    for (const info of infos ?? []) {
      const family = familyOf(info);
      const prefix = Number(info.cidr?.split('/')[1] ?? Number.NaN);
      // A prefix of 0 would make everyone a neighbour.
      if (family === null || info.internal || isLinkLocal(info.address) || !(prefix > 0)) continue;
      own.add(info.address);
      attached.addSubnet(info.address, prefix, family === 4 ? 'ipv4' : 'ipv6');
      if (families.has(family) || interfaces.filter((one) => one.family === family).length >= MAX_INTERFACES) continue;
      families.add(family);
      interfaces.push({ name, family, address: info.address });
    }
  }
  return {
    interfaces,
    isOwn: (address) => own.has(address),
    isAttached: (address) => {
      if (isIPv4(address)) return attached.check(address, 'ipv4');
      return isIPv6(address) && !address.includes('%') && attached.check(address, 'ipv6');
    },
  };
}

function familyOf(info: NetworkInterfaceInfo): 4 | 6 | null {
  if (info.family === 'IPv4') return 4;
  return info.family === 'IPv6' ? 6 : null;
}

/** fe80::/10 */
function isLinkLocal(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/i.test(address);
}
