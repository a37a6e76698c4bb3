import t from 'tap';
import { localNetworks } from '../../../../engine/net/local-networks.js';
import { MulticastGroup, MulticastMachine } from '../../../support/lsd-multicast-group.js';

const machine = (): MulticastMachine => new MulticastMachine(new MulticastGroup());

void t.test('one interface of each family, loopback and link-local left out', async (t) => {
  const networks = localNetworks(
    machine()
      .plug('lo', '127.0.0.1/8')
      .plug('eth0', '10.0.0.1/24', '10.0.1.1/24', 'fe80::1/64', 'fd00::1/64', 'fd01::1/64')
      .plug('veth1', 'fe80::2/64')
      .interfaces(),
  );
  t.same(networks.interfaces, [
    { name: 'eth0', family: 4, address: '10.0.0.1' },
    { name: 'eth0', family: 6, address: 'fd00::1' },
  ]);
  for (const address of ['10.0.0.9', '10.0.1.9', 'fd00::9', 'fd01::9', '10.0.0.1'])
    t.ok(networks.isAttached(address), address);
  for (const address of ['10.0.2.9', '127.0.0.1', 'fe80::9', 'fd02::1', '', 'x', '::ffff:8.8.8.8']) {
    t.notOk(networks.isAttached(address), address);
  }
  t.ok(networks.isOwn('10.0.1.1'));
  t.notOk(networks.isOwn('10.0.1.2'));
});

void t.test('a network of everyone is nobody', async (t) => {
  t.notOk(localNetworks(machine().plug('tun', '10.0.0.1/0').interfaces()).isAttached('8.8.8.8'));
});

void t.test('16 interfaces of a family', async (t) => {
  const many = machine();
  for (let i = 0; i < 40; i++) many.plug(`eth${i}`, `10.0.${i}.1/24`, `fd00:0:0:${i + 1}::1/64`);
  const { interfaces, isAttached } = localNetworks(many.interfaces());
  t.equal(interfaces.filter(({ family }) => family === 4).length, 16);
  t.equal(interfaces.filter(({ family }) => family === 6).length, 16);
  t.ok(isAttached('10.0.39.7'), 'all of them are ours all the same');
});
