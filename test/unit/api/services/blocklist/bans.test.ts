// Bans by hand: each address once, all of a call or none, never more than the bound; and what is in force is what is kept.
import t from 'tap';
import { Bans, bansSchema, MAX_BANS, NO_BANS, type BansData } from '../../../../../api/services/blocklist/bans.js';
import { RangeLookup } from '../../../../../shared-protocol/address-ranges.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const ADMIN = parseAccountId(1);
const OTHER = parseAccountId(2);

function setUp(data: BansData = NO_BANS) {
  const collection = new MemoryCollection(data, (parsed) => bansSchema.parse(parsed));
  const told: string[][] = [];
  let now = 100;
  const bans: Bans = new Bans({
    collection,
    nameOf: (id) => (id === ADMIN ? 'admin' : null),
    onChanged: async () => void told.push(bans.addresses),
    now: () => now++,
  });
  const inForce = (...hosts: readonly string[]) => {
    const lookup = bans.ranges && new RangeLookup(bans.ranges);
    return hosts.filter((host) => lookup?.has(host));
  };
  return { bans, told, inForce };
}

void t.test('an address is banned once, however it is written, and told before it is answered', async (t) => {
  const { bans, told, inForce } = setUp();
  t.equal(await bans.add(ADMIN, ['1.2.3.4', '::ffff:1.2.3.4', '2001:DB8::7', '5.6.0.0/16']), 3);
  t.equal(await bans.add(OTHER, ['1.2.3.4', '9.9.9.9']), 1);
  t.same(bans.list(), [
    { address: '9.9.9.9', banned_at: 103, banned_by: null },
    { address: '5.6.0.0/16', banned_at: 102, banned_by: 'admin' },
    { address: '2001:db8::7', banned_at: 101, banned_by: 'admin' },
    { address: '1.2.3.4', banned_at: 100, banned_by: 'admin' },
  ]);
  t.same(told[0], ['1.2.3.4', '2001:db8::7', '5.6.0.0/16']);
  const hosts = ['1.2.3.4', '::ffff:1.2.3.4', '2001:db8::7', '5.6.7.8', '9.9.9.9'];
  t.same(inForce(...hosts, '1.2.3.5', '2001:db8::8'), hosts);
});

void t.test('unbanned by any spelling; what is not banned is no error', async (t) => {
  const { bans, inForce } = setUp();
  await bans.add(ADMIN, ['1.2.3.4', '2001:db8::7']);
  await bans.remove(['::ffff:1.2.3.4', '7.7.7.7']);
  t.same(inForce('1.2.3.4', '2001:db8::7'), ['2001:db8::7']);
  await bans.remove(['2001:db8:0::7']);
  t.equal(bans.ranges, null);
  t.same(bans.list(), []);
});

void t.test('others in their place: what stays keeps its time and its account', async (t) => {
  const { bans } = setUp();
  await bans.add(ADMIN, ['1.2.3.4', '1.2.3.5']);
  await bans.replace(OTHER, ['1.2.3.6', '1.2.3.5', '1.2.3.6']);
  t.same(bans.list(), [
    { address: '1.2.3.6', banned_at: 102, banned_by: null },
    { address: '1.2.3.5', banned_at: 101, banned_by: 'admin' },
  ]);
});

void t.test('one that is no address, and one too many: nothing of the call is kept', async (t) => {
  const full = Array.from({ length: MAX_BANS }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  const { bans, told } = setUp({ bans: full.slice(1).map((address) => ({ address, banned_at: 1, banned_by: 1 })) });
  await t.rejects(bans.add(ADMIN, ['1.2.3.4', 'peer.example']), {
    code: 'BODY_INVALID',
    message: 'addresses: "peer.example" is not an address or a network.',
  });
  await t.rejects(bans.add(ADMIN, ['1.2.3.4', '1.2.3.5']), { code: 'QUOTA_EXCEEDED', message: 'bans: at most 10000' });
  t.equal(bans.addresses.length, MAX_BANS - 1);
  t.same(told, []);
  t.equal(await bans.add(ADMIN, ['1.2.3.4']), 1, 'the last one has room');
});

void t.test('what was kept is in force from the start', async (t) => {
  const { inForce } = setUp({ bans: [{ address: '1.2.3.0/24', banned_at: 1, banned_by: 1 }] });
  t.same(inForce('1.2.3.77', '1.2.4.1'), ['1.2.3.77']);
});
