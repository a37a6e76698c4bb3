// What each peer of a torrent is told of the others (BEP 11): exactly the difference between what it was told and what
// is true, in messages of at most 50, at most one a minute, and in turns.
import t from 'tap';
import fc from 'fast-check';
import { formatAddress } from '../../../../engine/net/address.js';
import { pexCandidates, PexRoster } from '../../../../engine/pex/roster.js';
import { SlotSet } from '../../../../engine/pex/slots.js';
import { MINUTE_MS, SECOND_MS } from '../../../../engine/environment.js';
import type { PexMessage, PexPeer } from '../../../../engine/pex/extension.js';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_502);

const peer = (n: number, isSeed = false): PexPeer => ({
  address: { host: `10.0.${n >> 8}.${n & 255}`, port: 6881 },
  flags: { prefersEncryption: false, isSeed, supportsUtp: false, supportsHolepunch: false, isReachable: true },
});
const text = (n: number): string => formatAddress(peer(n).address);

/** A message as sorted text: `+` added, `-` dropped. */
function said(message: PexMessage | null): string[] | null {
  if (!message) return null;
  const added = message.added.map(({ address }) => `+${formatAddress(address)}`);
  return [...added, ...message.dropped.map((address) => `-${formatAddress(address)}`)].sort();
}

/** A roster with a clock that moves by more than a minute for every message. */
class Talk {
  readonly roster = new PexRoster<number>();
  #nowMs = 0;

  constructor(...keys: readonly number[]) {
    for (const key of keys) this.roster.add(key, peer(key));
  }

  to(recipient: number): string[] | null {
    this.#nowMs += MINUTE_MS;
    const message = this.roster.messageFor(recipient, this.#nowMs);
    this.roster.checkInvariant();
    return said(message);
  }
}

const ME = 1_000;

void t.test('first everybody, then what has changed', async (t) => {
  const talk = new Talk(1, 2, 3);
  talk.roster.addRecipient(ME);
  t.same(talk.to(ME), [`+${text(1)}`, `+${text(2)}`, `+${text(3)}`]);
  t.equal(talk.to(ME), null);
  talk.roster.remove(2);
  talk.roster.add(4, peer(4));
  t.same(talk.to(ME), [`+${text(4)}`, `-${text(2)}`]);
  t.equal(talk.to(ME), null);
});

void t.test('who came and went between two messages is not mentioned, nor who went and came back', async (t) => {
  const talk = new Talk(1);
  talk.roster.addRecipient(ME);
  talk.roster.add(2, peer(2));
  talk.roster.remove(2);
  t.same(talk.to(ME), [`+${text(1)}`]);
  talk.roster.remove(1);
  talk.roster.add(7, peer(1));
  t.equal(talk.to(ME), null);
  talk.roster.remove(7);
  t.same(talk.to(ME), [`-${text(1)}`]);
});

void t.test('nobody is told of itself', async (t) => {
  const talk = new Talk(1, 2);
  talk.roster.addRecipient(1);
  talk.roster.addRecipient(2);
  t.same([talk.to(1), talk.to(2)], [[`+${text(2)}`], [`+${text(1)}`]]);
  // A second connection to the same address is the same peer.
  talk.roster.add(3, peer(1));
  t.equal(talk.to(1), null);
});

void t.test('an address goes with the last connection to it, and moves with its connection', async (t) => {
  const talk = new Talk(1);
  talk.roster.addRecipient(ME);
  talk.roster.add(2, peer(1));
  t.same(talk.to(ME), [`+${text(1)}`]);
  talk.roster.remove(1);
  t.equal(talk.to(ME), null);
  talk.roster.add(2, peer(5));
  t.same(talk.to(ME), [`+${text(5)}`, `-${text(1)}`]);
});

void t.test('flags are those of now; a change of them alone is no news', async (t) => {
  const roster = new PexRoster<number>();
  roster.add(1, peer(1));
  roster.addRecipient(ME);
  roster.messageFor(ME, 0);
  roster.add(1, peer(1, true));
  t.equal(roster.messageFor(ME, MINUTE_MS), null);
  roster.addRecipient(ME + 1);
  t.same(roster.messageFor(ME + 1, 0), { added: [peer(1, true)], dropped: [] });
});

void t.test('at most 50 added and 50 dropped, the rest in the next messages', async (t) => {
  const everybody = Array.from({ length: 120 }, (_, i) => i);
  const talk = new Talk(...everybody);
  talk.roster.addRecipient(ME);
  const heard: string[] = [];
  for (const size of [50, 50, 20]) {
    const message = talk.to(ME) ?? [];
    t.equal(message.length, size);
    heard.push(...message);
  }
  t.same(heard.sort(), everybody.map((n) => `+${text(n)}`).sort());
  for (const n of everybody) talk.roster.remove(n);
  for (const n of everybody) talk.roster.add(n + 200, peer(n + 200));
  t.same(
    [100, 100, 40].map((size) => (talk.to(ME)?.length === size ? 'as expected' : size)),
    ['as expected', 'as expected', 'as expected'],
  );
  t.equal(talk.to(ME), null);
});

void t.test('in a large swarm the first messages name everybody about equally often', async (t) => {
  const talk = new Talk(...Array.from({ length: 200 }, (_, i) => i));
  const named = new Map<string, number>();
  for (let recipient = 1_000; recipient < 1_200; recipient++) {
    talk.roster.addRecipient(recipient);
    for (const line of talk.to(recipient) ?? []) named.set(line, (named.get(line) ?? 0) + 1);
  }
  t.same([named.size, Math.min(...named.values()), Math.max(...named.values())], [200, 50, 50]);
});

void t.test('a recipient that is forgotten is told from the beginning when it comes again', async (t) => {
  const talk = new Talk(1);
  talk.roster.addRecipient(ME);
  talk.to(ME);
  talk.roster.forget(ME);
  talk.roster.checkInvariant();
  t.equal(talk.to(ME), null, 'not known');
  talk.roster.addRecipient(ME);
  talk.roster.addRecipient(ME);
  t.same(talk.to(ME), [`+${text(1)}`]);
});

void t.test('one message a minute', async (t) => {
  const roster = new PexRoster<number>();
  roster.addRecipient(ME);
  t.same(roster.recipientsDue(0), [], 'nothing has happened');
  t.equal(roster.messageFor(ME, 0), null);
  roster.add(1, peer(1));
  t.same(roster.recipientsDue(1_000), [ME], 'nothing to say does not count as said');
  t.same(said(roster.messageFor(ME, 1_000)), [`+${text(1)}`]);
  roster.add(2, peer(2));
  t.same(roster.recipientsDue(1_000 + MINUTE_MS - 1), []);
  t.equal(roster.messageFor(ME, 1_000 + MINUTE_MS - 1), null);
  t.same(roster.recipientsDue(1_000 + MINUTE_MS), [ME]);
  t.same(said(roster.messageFor(ME, 1_000 + MINUTE_MS)), [`+${text(2)}`]);
});

void t.test('a hundred who come together have their turns spread over a minute, and keep them so', async (t) => {
  const roster = new PexRoster<number>();
  for (let n = 0; n < 100; n++) {
    roster.add(n, peer(n));
    roster.addRecipient(n);
  }
  const sentAt = new Map<number, number[]>();
  let most = 0;
  let newcomer = 500;
  for (let nowMs = 0; nowMs < 10 * MINUTE_MS; nowMs += SECOND_MS) {
    // Somebody comes and somebody goes all the time, so there is always something to tell.
    roster.add(newcomer, peer(newcomer));
    roster.remove(newcomer - 20);
    newcomer++;
    const due = roster.recipientsDue(nowMs);
    t.same(roster.recipientsDue(nowMs), [], 'a turn is had once');
    most = Math.max(most, due.length);
    for (const key of due) {
      if (roster.messageFor(key, nowMs)) sentAt.set(key, [...(sentAt.get(key) ?? []), nowMs]);
    }
  }
  t.equal(sentAt.size, 100);
  // 100 recipients in 60 seconds; the first call may make up for two.
  t.ok(most <= 4, `${most} in one second`);
  const gaps = [...sentAt.values()].flatMap((times) => times.slice(1).map((time, i) => time - (times[i] ?? 0)));
  t.equal(Math.min(...gaps), MINUTE_MS);
  t.ok(Math.max(...gaps) <= MINUTE_MS + 5 * SECOND_MS, `${Math.max(...gaps)} ms between two messages`);
  t.ok(Math.max(...[...sentAt.values()].map((times) => times[0] ?? Infinity)) <= MINUTE_MS);
});

void t.test('after a long sleep there is no burst', async (t) => {
  const roster = new PexRoster<number>();
  for (let n = 0; n < 1_000; n++) {
    roster.add(n, peer(n));
    roster.addRecipient(n);
  }
  roster.recipientsDue(0);
  t.ok(roster.recipientsDue(60 * MINUTE_MS).length < 50);
});

void t.test('turns are not wasted on those who know everything', async (t) => {
  const roster = new PexRoster<number>();
  roster.add(1, peer(1));
  for (let n = 100; n < 110; n++) roster.addRecipient(n);
  const told: number[] = [];
  for (let nowMs = 0; nowMs < 10 * SECOND_MS; nowMs += SECOND_MS) {
    for (const key of roster.recipientsDue(nowMs)) {
      t.ok(roster.messageFor(key, nowMs));
      told.push(key);
    }
  }
  t.equal(new Set(told).size, 10);
  t.same(roster.recipientsDue(5 * MINUTE_MS), [], 'nothing has changed since');
});

void t.test('memory follows who is connected, not who ever was', async (t) => {
  const talk = new Talk(...Array.from({ length: 40 }, (_, i) => i));
  for (let r = 0; r < 5; r++) talk.roster.addRecipient(ME + r);
  for (let n = 40; n < 5_000; n++) {
    talk.roster.remove(n - 40);
    talk.roster.add(n, peer(n));
    // One recipient is never told again after its first message: what it believes stays booked, and no more.
    if (n === 60) talk.to(ME + 4);
    if (n % 20 === 0) for (let r = 0; r < 4; r++) talk.to(ME + r);
  }
  t.ok(talk.roster.slotCount <= 40 + 40 + 50, `${talk.roster.slotCount} slots`);
});

type Step =
  | { readonly kind: 'add'; readonly key: number; readonly address: number }
  | { readonly kind: 'remove' | 'tell' | 'recipient' | 'forget'; readonly key: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), key: fc.nat(90), address: fc.nat(80) }),
  fc.record({
    kind: fc.constantFrom('remove' as const, 'tell' as const, 'recipient' as const, 'forget' as const),
    key: fc.nat(90),
  }),
);

void t.test(`against a model that keeps a set for each recipient, seed ${SEED}`, async (t) => {
  let full = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), fc.nat(90), (steps, crowd) => {
      const roster = new PexRoster<number>();
      const addresses = new Map<number, string>();
      const told = new Map<number, Set<string>>();
      const add = (key: number, address: number): void => {
        roster.add(key, peer(address));
        addresses.set(key, text(address));
      };
      for (let key = 0; key < crowd; key++) add(key, key);
      let nowMs = 0;
      for (const { kind, key, ...rest } of steps) {
        if (kind === 'add') add(key, 'address' in rest ? rest.address : 0);
        if (kind === 'remove') {
          roster.remove(key);
          addresses.delete(key);
        }
        if (kind === 'recipient') {
          roster.addRecipient(key);
          if (!told.has(key)) told.set(key, new Set());
        }
        if (kind === 'forget') {
          roster.forget(key);
          told.delete(key);
        }
        if (kind === 'tell') {
          nowMs += MINUTE_MS;
          const message = roster.messageFor(key, nowMs);
          roster.checkInvariant();
          const believed = told.get(key);
          if (!believed) {
            if (message) throw new Error('told somebody unknown');
            continue;
          }
          const live = new Set(addresses.values());
          const own = addresses.get(key);
          const missing = [...live].filter((address) => address !== own && !believed.has(address));
          const gone = [...believed].filter((address) => address !== own && !live.has(address));
          const added = message?.added.map(({ address }) => formatAddress(address)) ?? [];
          const dropped = message?.dropped.map((address) => formatAddress(address)) ?? [];
          const isRight =
            added.length === Math.min(50, missing.length) &&
            dropped.length === Math.min(50, gone.length) &&
            added.every((address) => missing.includes(address)) &&
            dropped.every((address) => gone.includes(address)) &&
            new Set([...added, ...dropped]).size === added.length + dropped.length;
          if (!isRight) throw new Error(`told +${added} -${dropped}, expected +${missing} -${gone}`);
          if (added.length === 50) full++;
          for (const address of added) believed.add(address);
          for (const address of dropped) believed.delete(address);
        }
      }
      roster.checkInvariant();
    }),
    { numRuns: 300, seed: SEED },
  );
  t.ok(full > 0, `${full} full messages`);
});

void t.test('the bits of a slot set', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(2_000)), { maxLength: 200, size: 'max' }), (changes) => {
      const slots = new SlotSet();
      const model = new Set<number>();
      for (const [add, slot] of changes) {
        if (add) slots.add(slot);
        else slots.delete(slot);
        if (add) model.add(slot);
        else model.delete(slot);
      }
      return Array.from({ length: 2_100 }, (_, slot) => slots.has(slot) === model.has(slot)).every(Boolean);
    }),
    { numRuns: 100, seed: SEED },
  );
  t.pass('as a set');
});

const NO_FLAGS = {
  prefersEncryption: false,
  isSeed: false,
  supportsUtp: false,
  supportsHolepunch: false,
  isReachable: false,
};

void t.test('local addresses only from local peers, impossible ones from nobody', async (t) => {
  const rubbish = ['0.0.0.0', '224.0.0.1', '255.255.255.255', '::', 'ff02::1'];
  const local = ['10.0.0.1', '172.16.0.1', '192.168.1.1', '127.0.0.1', '169.254.1.1', '::1', 'fe80::1', 'fd00::1'];
  const global = ['93.184.216.34', '100.64.0.1', '2a00:1450::1'];
  const added = [...rubbish, ...local, ...global].map((host) => ({ address: { host, port: 6881 }, flags: NO_FLAGS }));
  for (const { sender, expected } of [
    { sender: '93.184.216.35', expected: global },
    { sender: '2a00:1450::2', expected: global },
    { sender: '192.168.1.7', expected: [...local, ...global] },
    { sender: '::ffff:192.168.1.7', expected: [...local, ...global] },
    { sender: '127.0.0.2', expected: [...local, ...global] },
    { sender: 'fe80::2', expected: [...local, ...global] },
  ]) {
    const hosts = pexCandidates(added, { host: sender, port: 1 }).map(({ host }) => host);
    t.same(hosts, expected, sender);
  }
  t.same(pexCandidates([{ address: { host: '1.2.3.4', port: 0 }, flags: NO_FLAGS }], { host: '1.1.1.1', port: 1 }), []);
});
