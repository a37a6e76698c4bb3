// Lines as they are in lists that people use.
import t from 'tap';
import ipaddr from 'ipaddr.js';
import { readLine, type RangeSink } from '../../../../../api/services/blocklist/list-line.js';

/** What the line says, in words. */
function read(line: string): string {
  const found: string[] = [];
  const ipv4 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
  const ipv6 = (words: Uint32Array) =>
    new ipaddr.IPv6([...words].flatMap((word) => [word >>> 16, word & 0xffff])).toString();
  const sink: RangeSink = {
    addIpv4: (first, last) => found.push(`${ipv4(first)} to ${ipv4(last)}`),
    addIpv6: (first, last) => found.push(`${ipv6(first)} to ${ipv6(last)}`),
  };
  const kind = readLine(line, sink);
  return kind === 'range' ? found.join() : [kind, ...found].join(' ');
}

const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'P2P (PeerGuardian, Bluetack, iblocklist)': {
    'China Internet Information Center (CNNIC):1.2.4.0-1.2.4.255': '1.2.4.0 to 1.2.4.255',
    'AfterNET http://irc:6667:9.9.9.0-9.9.9.9': '9.9.9.0 to 9.9.9.9',
    'Dash - and, comma # hash; in name:5.6.7.8-5.6.7.9\r': '5.6.7.8 to 5.6.7.9',
    ':1.1.1.1-1.1.1.1': '1.1.1.1 to 1.1.1.1',
    'spaces : 1.1.1.1 - 1.1.1.2 ': '1.1.1.1 to 1.1.1.2',
    'G\u00f6teborg \u00e9:1.1.1.1-1.1.1.2': '1.1.1.1 to 1.1.1.2',
    'IPv6 org:2001:db8::-2001:db8::ffff': '2001:db8:: to 2001:db8::ffff',
    'abc:2001:db8::-2001:db8:ffff::': '2001:db8:: to 2001:db8:ffff::',
    'full:1:2:3:4:5:6:7:8-1:2:3:4:5:6:7:9': '1:2:3:4:5:6:7:8 to 1:2:3:4:5:6:7:9',
    'loop:::1-::2': '::1 to ::2',
    'mapped:::ffff:1.2.3.4-::ffff:1.2.3.9': '1.2.3.4 to 1.2.3.9',
    'backwards:1.2.3.5-1.2.3.4': 'bad',
    'no range:1.2.3.4': 'bad',
    'mixed:1.2.3.4-::1': 'bad',
  },
  'DAT (eMule, ipfilter.dat)': {
    '001.009.096.105 - 001.009.096.105 , 000 , Some organization': '1.9.96.105 to 1.9.96.105',
    '000.000.000.000 - 000.255.255.255 , 000 , Bogon, with commas - and dashes': '0.0.0.0 to 0.255.255.255',
    '1.0.0.0 - 1.0.0.9 , 127 , the last level that is blocked': '1.0.0.0 to 1.0.0.9',
    '1.0.0.0 - 1.0.0.9 , 128 , let in': 'allowed',
    '1.0.0.0 - 1.0.0.9 , 200 , name:2.2.2.2-3.3.3.3': 'allowed',
    '1.0.0.0-1.0.0.9,100,tight': '1.0.0.0 to 1.0.0.9',
    '1.0.0.0 - 1.0.0.9 , 100': '1.0.0.0 to 1.0.0.9',
    '2001:db8::1 - 2001:db8::5 , 100 , six': '2001:db8::1 to 2001:db8::5',
    '1.0.0.0 - 1.0.0.300 , 100 , no address': 'bad',
  },
  'networks and addresses (FireHOL, Spamhaus DROP)': {
    '1.10.16.0/20 ; SBL256894': '1.10.16.0 to 1.10.31.255',
    '1.10.16.77/20': '1.10.16.0 to 1.10.31.255',
    '0.0.0.0/0': '0.0.0.0 to 255.255.255.255',
    '128.0.0.0/1': '128.0.0.0 to 255.255.255.255',
    '1.2.3.4/32': '1.2.3.4 to 1.2.3.4',
    '\u00ef\u00bb\u00bf1.2.3.4': '1.2.3.4 to 1.2.3.4',
    '1.2.3.4 # bad host': '1.2.3.4 to 1.2.3.4',
    '1.2.3.4, somebody': '1.2.3.4 to 1.2.3.4',
    '  1.2.3.4\t\r': '1.2.3.4 to 1.2.3.4',
    '1.2.3.4-1.2.3.9': '1.2.3.4 to 1.2.3.9',
    '1.2.3.4 - 1.2.3.9 # comment': '1.2.3.4 to 1.2.3.9',
    '2001:db8::/32': '2001:db8:: to 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::7/33 ; SBL1': '2001:db8:: to 2001:db8:7fff:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::7/128': '2001:db8::7 to 2001:db8::7',
    '2001:db8::7': '2001:db8::7 to 2001:db8::7',
    '::/0': ':: to ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '::ffff:1.2.3.0/120': '1.2.3.0 to 1.2.3.255',
    '1.2.3.0/33': 'bad',
    '1.2.3.0/': 'bad',
    '1.2.3.0/x': 'bad',
    '1.2.3/24': 'bad',
    '::1/129': 'bad',
    '1.2.3.4.5': 'bad',
  },
  'what is none': {
    '': 'nothing',
    ' \r': 'nothing',
    '# comment': 'nothing',
    '; comment 1.2.3.4': 'nothing',
    '// 1.2.3.4-1.2.3.5': 'nothing',
    '<!DOCTYPE html>': 'bad',
    '<a href="-">-</a>': 'bad',
    '-': 'bad',
    ',': 'bad',
    '-1.2.3.4': 'bad',
    localhost: 'bad',
  },
};

for (const [format, lines] of Object.entries(CASES)) {
  void t.test(format, async (t) => {
    for (const [line, expected] of Object.entries(lines)) t.equal(read(line), expected, JSON.stringify(line));
  });
}
