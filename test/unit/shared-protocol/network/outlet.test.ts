// The way out while interfaces come and go: what is open ends, nothing is opened without a way, and who waits is told.
import t from 'tap';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import type { DeviceCalls } from '../../../../shared-protocol/network/device-calls.js';
import type { Interfaces } from '../../../../shared-protocol/network/find-binding.js';
import { Outlet } from '../../../../shared-protocol/network/outlet.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const LOOK_MS = 1_000;
const WG0: NetworkInterfaceInfo = {
  ...{ address: '10.2.0.2', netmask: '255.255.255.0', mac: '', internal: false, cidr: null },
  family: 'IPv4',
};

/** A machine whose interfaces the test decides; its kernel opens nothing. */
class Machine {
  readonly clock = new VirtualClock();
  interfaces: Interfaces = { wg0: [WG0] };
  index = 3;
  mayBind = true;
  opened = 0;

  outlet(bind: string | null): Outlet {
    const calls: DeviceCalls = {
      indexOf: (device) => (this.interfaces[device] ? this.index : 0),
      open: ({ local, type }) => {
        if (!this.mayBind) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        if (type === 'udp' && local === null) return -1;
        this.opened++;
        throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
      },
      close: () => undefined,
    };
    const interfaces = () => this.interfaces;
    return new Outlet(
      { clock: this.clock, nameServers: ['192.0.2.53'], interfaces, calls: () => calls },
      { bind, proxy: null },
    );
  }
}

function changesOf(outlet: Outlet): string[] {
  const changes: string[] = [];
  outlet.onChange(() => changes.push(outlet.binding.kind === 'closed' ? outlet.binding.fault : outlet.binding.kind));
  return changes;
}

async function failureOf(outlet: Outlet): Promise<string> {
  const socket = outlet.connect({ host: '192.0.2.1', port: 80 });
  const [error] = (await once(socket, 'error')) as [Error & { code?: string }];
  return error.code ?? error.message;
}

void t.test('an interface that goes, comes back, and comes back as another', async (t) => {
  const machine = new Machine();
  const outlet = machine.outlet('wg0');
  const changes = changesOf(outlet);
  t.match(outlet.binding, { kind: 'bound', device: 'wg0', addresses: ['10.2.0.2'] });
  await machine.clock.advance(3 * LOOK_MS);
  t.same(changes, [], 'as long as nothing changes');
  machine.interfaces = {};
  await machine.clock.advance(LOOK_MS);
  t.same(changes, ['missing']);
  t.notOk(outlet.isOpen);
  t.equal(await failureOf(outlet), 'ENETDOWN');
  t.throws(() => outlet.datagrams(4), { code: 'ENETDOWN' });
  await t.rejects(outlet.bindDatagrams(4, { host: '0.0.0.0', port: 0 }), { code: 'ENETDOWN' });
  await t.rejects(
    outlet.listen({ host: '0.0.0.0', port: 0 }, 1, () => undefined),
    { code: 'ENETDOWN' },
  );
  await t.rejects(outlet.names('tracker.example', null, new AbortController().signal), { code: 'EAI_AGAIN' });
  await t.rejects(outlet.names('nas', null, new AbortController().signal), { code: 'ENOTFOUND' }, 'not by the system');
  t.equal(machine.opened, 0);
  machine.interfaces = { wg0: [WG0] };
  await machine.clock.advance(LOOK_MS);
  machine.index = 4;
  await machine.clock.advance(LOOK_MS);
  t.same(changes, ['missing', 'bound', 'bound'], 'another interface of the name is a change');
  t.equal(await failureOf(outlet), 'EMFILE', 'by the kernel, and never by Node alone');
  outlet.close();
});

void t.test('where sockets cannot be held to an interface there are none', async (t) => {
  const machine = new Machine();
  machine.mayBind = false;
  const outlet = machine.outlet('wg0');
  t.same(outlet.binding, { kind: 'closed', fault: 'refused' });
  machine.mayBind = true;
  await machine.clock.advance(LOOK_MS);
  t.equal(outlet.binding.kind, 'bound', 'until they can be');
  outlet.close();
  const elsewhere = new Outlet(
    { clock: machine.clock, nameServers: null, calls: () => null },
    { bind: 'wg0', proxy: null },
  );
  t.same(elsewhere.binding, { kind: 'closed', fault: 'unsupported' });
  t.equal(await failureOf(elsewhere), 'ENETDOWN');
  elsewhere.close();
});

void t.test('sockets of the way before end with it', async (t) => {
  const machine = new Machine();
  const outlet = machine.outlet(null);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = outlet.connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  await once(socket, 'connect');
  const datagrams = outlet.datagrams(4);
  const closed = Promise.all([once(socket, 'close'), once(datagrams, 'close')]);
  outlet.set({ bind: 'wg1', proxy: null });
  t.ok(socket.destroyed, 'at once');
  await closed;
  t.same(outlet.binding, { kind: 'closed', fault: 'missing' });
  outlet.close();
  await new Promise((resolve) => server.close(resolve));
});

void t.test('a proxy without an address leads nowhere', async (t) => {
  const machine = new Machine();
  const outlet = machine.outlet(null);
  const proxy = {
    ...({ kind: 'socks5', host: 'proxy.invalid', port: 1080, credentials: null } as const),
    ...{ peers: true, trackers: false, isGuarded: false },
  };
  outlet.set({ bind: 'wg1', proxy });
  t.equal(outlet.leadsTo('peers'), false);
  outlet.set({ bind: null, proxy: { ...proxy, host: '192.0.2.7' } });
  t.match(outlet.proxyOf('peers'), { address: '192.0.2.7' });
  t.equal(outlet.proxyOf('trackers'), null, 'only for what it is to be used for');
  t.ok(outlet.leadsTo('peers'));
  outlet.close();
});
