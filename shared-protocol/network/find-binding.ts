// The interface that a binding names, as the machine has it at this moment. Pure.
import { isIP } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { BindingFault } from './network-options.js';

/** Interfaces as `os.networkInterfaces()` gives them: only those that are up and have an address. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

export type FoundBinding =
  | {
      readonly kind: 'found';
      readonly device: string;
      readonly index: number;
      /** All of the interface, or the one that was asked for; link-local IPv6 left out. */
      readonly addresses: readonly string[];
      /** An address was asked for: sockets bind to it besides. */
      readonly isAddress: boolean;
    }
  | { readonly kind: 'absent'; readonly fault: Extract<BindingFault, 'missing' | 'no-address'> };

/** `indexOf`: 0 where there is no interface of the name. */
export function findBinding(bind: string, interfaces: Interfaces, indexOf: (device: string) => number): FoundBinding {
  const isAddress = isIP(bind) !== 0;
  const device = isAddress ? deviceOf(bind, interfaces) : bind;
  if (device === null) return { kind: 'absent', fault: 'missing' };
  const index = indexOf(device);
  if (index === 0) return { kind: 'absent', fault: 'missing' };
  const addresses = usable(interfaces[device] ?? []).filter((address) => !isAddress || isSame(address, bind));
  if (addresses.length === 0) return { kind: 'absent', fault: 'no-address' };
  return { kind: 'found', device, index, addresses, isAddress };
}

function deviceOf(address: string, interfaces: Interfaces): string | null {
  for (const [device, infos] of Object.entries(interfaces)) {
    if (infos?.some((info) => isSame(info.address, address))) return device;
  }
  return null;
}

function usable(infos: readonly NetworkInterfaceInfo[]): string[] {
  return infos.map(({ address }) => address).filter((address) => ipaddr.parse(address).range() !== 'linkLocal');
}

function isSame(one: string, other: string): boolean {
  return ipaddr.parse(one).toString() === ipaddr.parse(other).toString();
}
