// Names that a proxy resolves: what an account may have it asked for, without knowing what they lead to.
import t from 'tap';
import { judgeProxiedName } from '../../../../engine/net/judge-host.js';
import { AddressPolicy } from '../../../../shared-protocol/address-policy.js';

const policy = new AddressPolicy([], (address) => address === '45.33.32.156');
const STRANGER = { mayReachInside: false, isHarmless: true };
const INSIDER = { mayReachInside: true, isHarmless: true };
const OUTSIDE = { address: '8.8.8.8', isGuarded: false };

function judge(name: string, proxy: { address: string | null; isGuarded: boolean }, use = STRANGER): string {
  const verdict = judgeProxiedName(name, proxy, { policy }, use);
  if (verdict.kind === 'refused') return verdict.reason.includes('proxy') ? 'not by this proxy' : verdict.reason;
  t.same(verdict.addresses, [], 'asked by name');
  t.equal(verdict.isInside, false, 'has no say in what lies inside');
  return verdict.isOpen ? 'asked' : 'asked, its words not shown';
}

void t.test('a proxy that is inside may lead inside, and is given no names of strangers', async (t) => {
  for (const address of ['127.0.0.1', '10.64.0.1', '192.168.1.1', 'fd00::1', '45.33.32.156', null]) {
    const proxy = { address, isGuarded: false };
    t.equal(judge('tracker.example', proxy), 'not by this proxy', String(address));
    t.equal(judge('tracker.example', proxy, INSIDER), 'asked, its words not shown', String(address));
    t.equal(judge('tracker.example', { ...proxy, isGuarded: true }), 'asked', 'an administrator has said so');
  }
  t.equal(judge('tracker.example', OUTSIDE), 'asked', 'one of the internet has another inside than ours');
});

void t.test('names of a network for its own machines are no stranger’s, by any proxy', async (t) => {
  const names = [
    'router',
    'localhost',
    'a.localhost',
    'nas.local',
    'Nas.Local.',
    'metadata.google.internal',
    'x.home.arpa',
  ];
  for (const name of names) {
    t.equal(judge(name, OUTSIDE), 'address not allowed', name);
    t.equal(judge(name, { ...OUTSIDE, isGuarded: true }), 'address not allowed', name);
    t.equal(judge(name, OUTSIDE, INSIDER), 'asked, its words not shown', name);
    t.equal(judge(name, OUTSIDE, { ...INSIDER, isHarmless: false }), 'address not allowed', `${name}: a command`);
  }
});
