// The interface that a binding names: by its name, by an address, and when it is not there.
import t from 'tap';
import type { NetworkInterfaceInfo } from 'node:os';
import { findBinding, type Interfaces } from '../../../../shared-protocol/network/find-binding.js';

function info(address: string): NetworkInterfaceInfo {
  const common = { address, netmask: '', mac: '', internal: false, cidr: null };
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' };
}

const INTERFACES: Interfaces = {
  lo: [info('127.0.0.1')],
  eth0: [info('192.168.1.9'), info('2001:db8::9'), info('fe80::1')],
  wg0: [info('10.2.0.2')],
  odd0: [info('fe80::2')],
};
const INDEXES: Readonly<Record<string, number>> = { lo: 1, eth0: 2, wg0: 3, odd0: 4, down0: 5 };

function found(bind: string): string {
  const finding = findBinding(bind, INTERFACES, (device) => INDEXES[device] ?? 0);
  if (finding.kind === 'absent') return finding.fault;
  return `${finding.device} ${finding.index} ${finding.addresses.join(' ')}${finding.isAddress ? ' alone' : ''}`;
}

void t.test('by name and by address', async (t) => {
  t.equal(found('wg0'), 'wg0 3 10.2.0.2');
  t.equal(found('eth0'), 'eth0 2 192.168.1.9 2001:db8::9', 'link-local addresses reach nobody by themselves');
  t.equal(found('192.168.1.9'), 'eth0 2 192.168.1.9 alone');
  t.equal(found('2001:DB8:0::9'), 'eth0 2 2001:db8::9 alone', 'however it is written');
});

void t.test('what is not there is never another', async (t) => {
  t.equal(found('wg1'), 'missing');
  t.equal(found('10.2.0.3'), 'missing');
  t.equal(found('down0'), 'no-address', 'it is there, and down');
  t.equal(found('odd0'), 'no-address');
});
