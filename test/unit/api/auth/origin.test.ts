// The cross-site check and the Host allow-list, as tables.
import type { IncomingHttpHeaders } from 'node:http';
import t from 'tap';
import {
  checkOrigin,
  isHostAllowed,
  ownNames,
  type HostPolicy,
  type OriginVerdict,
} from '../../../../api/auth/origin.js';

const origins: { headers: IncomingHttpHeaders; host?: string; expected: OriginVerdict }[] = [
  { headers: { origin: 'http://box:9480' }, host: 'box:9480', expected: 'matches' },
  { headers: { origin: 'http://BOX:9480' }, host: 'box:9480', expected: 'matches' },
  { headers: { origin: 'http://box' }, host: 'box:80', expected: 'matches' },
  { headers: { origin: 'https://box:443' }, host: 'box', expected: 'matches' },
  { headers: { origin: 'https://box' }, host: 'box:80', expected: 'mismatch' },
  { headers: { origin: 'http://box:9481' }, host: 'box:9480', expected: 'mismatch' },
  { headers: { origin: 'http://evil' }, host: 'box:9480', expected: 'mismatch' },
  { headers: { origin: 'null' }, host: 'box:9480', expected: 'mismatch' },
  { headers: { origin: '' }, host: 'box', expected: 'mismatch' },
  { headers: { origin: 'http://box@evil' }, host: 'box', expected: 'mismatch' },
  { headers: { origin: 'http://box' }, expected: 'mismatch' },
  { headers: { origin: 'http://evil', referer: 'http://box/' }, host: 'box', expected: 'mismatch' },
  { headers: { referer: 'http://box/page?x' }, host: 'box', expected: 'matches' },
  { headers: { referer: 'http://evil/box' }, host: 'box', expected: 'mismatch' },
  { headers: {}, host: 'box', expected: 'absent' },
  { headers: { 'sec-fetch-site': 'same-origin' }, host: 'box', expected: 'matches' },
  { headers: { 'sec-fetch-site': 'none' }, host: 'box', expected: 'matches' },
  { headers: { 'sec-fetch-site': 'cross-site' }, host: 'box', expected: 'absent' },
];
for (const { headers, host, expected } of origins) {
  void t.test(`${JSON.stringify(headers)} to ${host}: ${expected}`, async (t) => {
    t.equal(checkOrigin(headers, host), expected);
  });
}

const OPEN: HostPolicy = { allowedHosts: [], isOpen: () => true };
const LISTED: HostPolicy = { allowedHosts: ['box.local'], isOpen: () => false };
const DESKTOP: HostPolicy = { allowedHosts: [], isOpen: () => false };
const hosts: { host: string | undefined; policy: HostPolicy; expected: boolean }[] = [
  { host: 'anything', policy: OPEN, expected: true },
  { host: undefined, policy: OPEN, expected: true },
  { host: 'box.local:9480', policy: LISTED, expected: true },
  { host: 'BOX.local', policy: LISTED, expected: true },
  { host: 'evil', policy: LISTED, expected: false },
  { host: undefined, policy: LISTED, expected: false },
  { host: '192.0.2.1:9480', policy: LISTED, expected: true },
  { host: '[::1]:9480', policy: LISTED, expected: true },
  { host: 'localhost:9480', policy: DESKTOP, expected: true },
  { host: 'rebound.evil:9480', policy: DESKTOP, expected: false },
  { host: 'evil@box.local', policy: LISTED, expected: false },
  { host: 'evil@box.local', policy: OPEN, expected: false },
  { host: 'evil@127.0.0.1', policy: DESKTOP, expected: false },
  { host: 'box.local/evil', policy: LISTED, expected: false },
  { host: 'box.local?evil', policy: OPEN, expected: false },
  { host: 'a b', policy: OPEN, expected: false },
];
for (const { host, policy, expected } of hosts) {
  void t.test(`Host ${host} under ${JSON.stringify(policy)}: ${expected}`, async (t) => {
    t.equal(isHostAllowed(host, policy), expected);
  });
}

void t.test('the names of a machine', async (t) => {
  t.same(ownNames('Box.Example.org'), ['box.example.org', 'box', 'box.local']);
  t.same(ownNames('box'), ['box', 'box.local']);
  t.same(ownNames('box.local'), ['box.local', 'box']);
  t.same(ownNames(''), []);
});
