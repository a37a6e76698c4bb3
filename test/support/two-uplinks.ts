// A machine with two ways out, in network namespaces: `vpn0`, by which alone the far host is reached, and `wan0`, which
// its default route takes when the other is down, and behind which nothing answers. Needs root and iproute2.
import type { ChildProcess } from 'node:child_process';
import { execute, ownNamespaces, tryExecute } from './namespaces.js';

export const FAR_HOST = '10.99.0.1';
export const FAR_PORTS = { tracker: 6969, names: 53, dht: 6881, told: 8080 } as const;
export const FAR_NAME = 'tracker.far.example';
/** How many have come. */
export interface Arrivals {
  readonly http: number;
  readonly udp: number;
  readonly names: number;
  readonly dht: number;
  readonly lsd: number;
}

export const VPN = { device: 'vpn0', address: '10.88.1.1' } as const;
export const WAN = { device: 'wan0', address: '10.88.2.1' } as const;
const VPN_PEER = '10.88.1.2';
const WAN_PEER = '10.88.2.2';

export type Place = 'machine' | 'far' | 'wan';
const PLACES: readonly Place[] = ['machine', 'far', 'wan'];

export interface TwoUplinks {
  /** A command and its arguments that runs what follows in the place. */
  launcher(place: Place): readonly string[];
  /** Killed by `remove` at the latest. */
  run(place: Place, command: string, args: readonly string[]): ChildProcess;
  remove(): Promise<void>;
}

export async function makeTwoUplinks(): Promise<TwoUplinks> {
  const { namespaces, run, remove } = ownNamespaces(PLACES);
  const launcher = (place: Place): readonly string[] => ['ip', 'netns', 'exec', namespaces[place]];
  try {
    for (const place of PLACES) {
      execute('ip', ['netns', 'add', namespaces[place]]);
      // Neighbour discovery of the kernel's own would be in every capture.
      tryExecute('ip', ['netns', 'exec', namespaces[place], 'sysctl', '-qw', 'net.ipv6.conf.all.disable_ipv6=1']);
      tryExecute('ip', ['netns', 'exec', namespaces[place], 'sysctl', '-qw', 'net.ipv6.conf.default.disable_ipv6=1']);
      execute('ip', ['-n', namespaces[place], 'link', 'set', 'lo', 'up']);
    }
    cable(namespaces.machine, VPN, namespaces.far, VPN_PEER);
    cable(namespaces.machine, WAN, namespaces.wan, WAN_PEER);
    // Not on `lo`: libtorrent binds to the device of its address.
    execute('ip', ['-n', namespaces.far, 'address', 'add', `${FAR_HOST}/32`, 'dev', VPN.device]);
    restoreVpn((...args) => execute('ip', ['-n', namespaces.machine, ...args]));
    execute('ip', ['-n', namespaces.machine, 'route', 'add', 'default', 'via', WAN_PEER]);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    launcher,
    run,
    remove,
  };
}

/** `vpn0` comes up, and with it its route, as a VPN's program would have it. `ip`: in the machine's place. */
export function restoreVpn(ip: (...args: string[]) => unknown): void {
  ip('link', 'set', VPN.device, 'up');
  ip('route', 'replace', `${FAR_HOST}/32`, 'via', VPN_PEER);
}

function cable(
  near: string,
  { device, address }: { device: string; address: string },
  far: string,
  peer: string,
): void {
  execute('ip', ['link', 'add', 'name', device, 'netns', near, 'type', 'veth', 'peer', 'name', device, 'netns', far]);
  execute('ip', ['-n', near, 'address', 'add', `${address}/24`, 'dev', device]);
  execute('ip', ['-n', far, 'address', 'add', `${peer}/24`, 'dev', device]);
  execute('ip', ['-n', near, 'link', 'set', device, 'up']);
  execute('ip', ['-n', far, 'link', 'set', device, 'up']);
}
