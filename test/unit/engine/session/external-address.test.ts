// Where we are, by the word of others: a quorum of networks, one vote each, and nothing that cannot be our address.
import t from 'tap';
import fc from 'fast-check';
import { isIP } from 'node:net';
import { ExternalAddress } from '../../../../engine/session/external-address.js';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_711);

function listening(): { external: ExternalAddress; changes: string[] } {
  const changes: string[] = [];
  return { external: new ExternalAddress((address) => changes.push(address)), changes };
}

void t.test('two networks make a quorum, one does not, however often it says so', async (t) => {
  const { external, changes } = listening();
  for (let i = 0; i < 10; i++) external.vote('203.0.113.5', '198.51.100.1');
  t.equal(external.seenBy('1.1.1.1'), null);
  external.vote('203.0.113.5', '198.51.100.2');
  t.equal(external.seenBy('1.1.1.1'), '203.0.113.5');
  t.same(changes, ['203.0.113.5']);
  external.vote('203.0.113.5', '198.51.100.3');
  t.same(changes, ['203.0.113.5'], 'told once');
});

void t.test('a /64 is one network', async (t) => {
  const { external } = listening();
  external.vote('2a00::5', '2a01::1');
  external.vote('2a00::5', '2a01::2');
  t.equal(external.seenBy('2a09::1'), null);
  external.vote('2a00::5', '2a01:0:0:1::1');
  t.equal(external.seenBy('2a09::1'), '2a00::5');
  t.equal(external.seenBy('1.1.1.1'), null, 'that says nothing of IPv4');
});

void t.test('a network that changes its mind takes its vote along', async (t) => {
  const { external } = listening();
  external.vote('203.0.113.5', '198.51.100.1');
  external.vote('203.0.113.5', '198.51.100.2');
  external.vote('203.0.113.6', '198.51.100.1');
  t.equal(external.seenBy('1.1.1.1'), '203.0.113.5', 'until another has a quorum');
  external.vote('203.0.113.6', '198.51.100.2');
  t.equal(external.seenBy('1.1.1.1'), '203.0.113.6');
});

void t.test('the gateway knows', async (t) => {
  const { external, changes } = listening();
  external.vote('203.0.113.9', null);
  for (const voter of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) external.vote('203.0.113.5', voter);
  t.equal(external.seenBy('1.1.1.1'), '203.0.113.9');
  t.same(changes, ['203.0.113.9']);
});

const NOT_OURS: readonly { name: string; address: string }[] = [
  { name: 'nothing', address: '' },
  { name: 'a name', address: 'tracker.example' },
  { name: 'a short form', address: '1' },
  { name: 'loopback', address: '127.0.0.1' },
  { name: 'a private network', address: '192.168.1.2' },
  { name: 'a private network in IPv6 clothes', address: '::ffff:192.168.1.2' },
  { name: 'a link', address: 'fe80::1' },
  { name: 'unspecified', address: '0.0.0.0' },
  { name: 'unspecified IPv6', address: '::' },
  { name: 'multicast', address: '224.0.0.1' },
  { name: 'broadcast', address: '255.255.255.255' },
  { name: "a provider's NAT, as its gateway says", address: '100.64.3.4' },
];

void t.test('what cannot be our address is nobody’s word', async (t) => {
  for (const { name, address } of NOT_OURS) {
    const { external, changes } = listening();
    for (const voter of [null, 'a.example', 'b.example']) external.vote(address, voter);
    t.same(changes, [], name);
  }
});

void t.test('an IPv4 address in IPv6 clothes is one vote for the IPv4 address', async (t) => {
  const { external, changes } = listening();
  external.vote('::ffff:203.0.113.5', '198.51.100.1');
  external.vote('203.0.113.5', '198.51.100.2');
  t.same(changes, ['203.0.113.5']);
});

void t.test('a peer sees us in its own family only; a tracker by name may see either', async (t) => {
  const { external, changes } = listening();
  external.vote('2a00::5', '198.51.100.1');
  external.vote('2a00::5', '198.51.100.2');
  t.same(changes, []);
  external.vote('2a00::5', 'a.example');
  external.vote('2a00::5', 'b.example');
  t.same(changes, ['2a00::5']);
});

void t.test(
  `whatever is said, by however many, it throws nothing and tells only addresses (seed ${SEED})`,
  async (t) => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ maxLength: 60 }),
      fc.constantFrom('203.0.113.5', '2a00::5'),
    );
    const votes = fc.array(fc.tuple(address, fc.option(address)), { maxLength: 300 });
    fc.assert(
      fc.property(votes, (all) => {
        const { external, changes } = listening();
        for (const [said, voter] of all) external.vote(said, voter);
        return changes.every((said) => isIP(said) !== 0);
      }),
      { seed: SEED, numRuns: 200 },
    );
    t.pass();
  },
);
