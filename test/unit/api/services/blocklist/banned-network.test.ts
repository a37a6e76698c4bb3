// One spelling for each address that is banned, and none for what is no address.
import t from 'tap';
import { readBanned } from '../../../../../api/services/blocklist/banned-network.js';

const SPELLINGS = [
  ['1.2.3.4', '1.2.3.4'],
  [' 1.2.3.4 ', '1.2.3.4'],
  ['1.2.3.4/32', '1.2.3.4'],
  ['1.2.3.4/24', '1.2.3.0/24'],
  ['1.2.3.4/0', '0.0.0.0/0'],
  ['2001:DB8::0007', '2001:db8::7'],
  ['2001:0db8:0:0:0:0:0:7/128', '2001:db8::7'],
  ['2001:db8:1:2:3::7/64', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:102:304', '1.2.3.4'],
  ['::ffff:1.2.3.4/120', '1.2.3.0/24'],
  ['::ffff:1.2.3.4/96', '0.0.0.0/0'],
] as const;

void t.test('one spelling for each address and network', async (t) => {
  for (const [text, expected] of SPELLINGS) {
    t.equal(readBanned(text), expected, text);
    t.equal(readBanned(expected), expected, `${expected} stays as it is`);
  }
});

void t.test('what is none', async (t) => {
  const texts = [
    '',
    ' ',
    '/',
    '/24',
    '1.2.3',
    '127.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
    '0x7f.1',
  ];
  const others = [
    '1.2.3.4:80',
    '[2001:db8::7]',
    '2001:db8::/129',
    '::ffff:1.2.3.4/95',
    'peer.example',
    '1.2.3.4 5.6.7.8',
  ];
  for (const text of [...texts, ...others]) t.equal(readBanned(text), null, text);
});
