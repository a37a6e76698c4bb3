import t from 'tap';
import { infoHashFromBytes, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { formatLsdSearch, parseLsdSearch } from '../../../../engine/lsd/codec.js';

const A = parseInfoHash('aa'.repeat(20));
const B = parseInfoHash('bb'.repeat(20));
const HEAD = 'BT-SEARCH * HTTP/1.1\r\nHost: 239.192.152.143:6771\r\n';
const END = '\r\n\r\n\r\n';

const hashes = Array.from({ length: 30 }, (_, i) => infoHashFromBytes(new Uint8Array(20).fill(i)));
const parse = (text: string) => parseLsdSearch(Buffer.from(text, 'latin1'));

void t.test('format', async (t) => {
  const text = Buffer.from(formatLsdSearch(4, { port: 6881, infoHashes: [A, B], cookie: '01020304' })).toString();
  t.equal(
    text,
    `BT-SEARCH * HTTP/1.1\r\nHost: 239.192.152.143:6771\r\nPort: 6881\r\nInfohash: ${A}\r\nInfohash: ${B}\r\ncookie: 01020304\r\n\r\n\r\n`,
  );
  const six = Buffer.from(formatLsdSearch(6, { port: 1, infoHashes: [A], cookie: null })).toString();
  t.match(six, '\r\nHost: [ff15::efc0:988f]:6771\r\n');
  t.notMatch(six, 'cookie');
});

void t.test('the longest datagram is within 1,400 bytes and complete', async (t) => {
  const bytes = formatLsdSearch(6, { port: 65_535, infoHashes: hashes, cookie: 'ffffffff' });
  t.ok(bytes.length <= 1400, `${bytes.length}`);
  t.same(parseLsdSearch(bytes), { port: 65_535, infoHashes: hashes.slice(0, 25), cookie: 'ffffffff' });
});

const GIVEN: readonly { name: string; text: string; expected: ReturnType<typeof parseLsdSearch> }[] = [
  {
    name: 'BEP 14 example',
    text: `${HEAD}Port: 6881\r\nInfohash: ${A}\r\ncookie: name${END}`,
    expected: { port: 6881, infoHashes: [A], cookie: 'name' },
  },
  {
    name: 'LF alone, one empty line, upper case, no spaces',
    text: `bt-search * http/1.1\nPORT:1\nINFOHASH:${A.toUpperCase()}\n\n`,
    expected: { port: 1, infoHashes: [A], cookie: null },
  },
  {
    name: 'the same hash twice',
    text: `${HEAD}Port: 2\r\nInfohash: ${A}\r\nInfohash: ${A}${END}`,
    expected: { port: 2, infoHashes: [A], cookie: null },
  },
  {
    name: 'a longer hash beside ours',
    text: `${HEAD}Port: 2\r\nInfohash: ${'cc'.repeat(32)}\r\nInfohash: ${B}${END}`,
    expected: { port: 2, infoHashes: [B], cookie: null },
  },
  {
    name: 'headers nobody knows, and what follows the end',
    text: `${HEAD}X-Y: z:\r\nPort: 2\r\nInfohash: ${B}\r\n\r\nInfohash: ${A}\r\n`,
    expected: { port: 2, infoHashes: [B], cookie: null },
  },
  { name: 'empty', text: '', expected: null },
  { name: 'another request', text: `M-SEARCH * HTTP/1.1\r\nPort: 2\r\nInfohash: ${A}${END}`, expected: null },
  { name: 'another version', text: `BT-SEARCH * HTTP/1.0\r\nPort: 2\r\nInfohash: ${A}${END}`, expected: null },
  { name: 'cut off', text: `${HEAD}Port: 2\r\nInfohash: ${A}\r\n`, expected: null },
  { name: 'no port', text: `${HEAD}Infohash: ${A}${END}`, expected: null },
  { name: 'no hash', text: `${HEAD}Port: 2${END}`, expected: null },
  { name: 'hash too short', text: `${HEAD}Port: 2\r\nInfohash: ${A.slice(1)}${END}`, expected: null },
  { name: 'hash of other letters', text: `${HEAD}Port: 2\r\nInfohash: ${'g'.repeat(40)}${END}`, expected: null },
  { name: 'port 0', text: `${HEAD}Port: 0\r\nInfohash: ${A}${END}`, expected: null },
  { name: 'port 65536', text: `${HEAD}Port: 65536\r\nInfohash: ${A}${END}`, expected: null },
  { name: 'port -1', text: `${HEAD}Port: -1\r\nInfohash: ${A}${END}`, expected: null },
  { name: 'port 0x10', text: `${HEAD}Port: 0x10\r\nInfohash: ${A}${END}`, expected: null },
  { name: 'port 1e3', text: `${HEAD}Port: 1e3\r\nInfohash: ${A}${END}`, expected: null },
  { name: 'two ports', text: `${HEAD}Port: 1\r\nPort: 2\r\nInfohash: ${A}${END}`, expected: null },
  { name: 'a line that is no header', text: `${HEAD}what\r\nPort: 1\r\nInfohash: ${A}${END}`, expected: null },
  { name: '1,401 bytes', text: `${HEAD}Port: 1\r\nInfohash: ${A}${END}`.padEnd(1401, 'x'), expected: null },
];

for (const { name, text, expected } of GIVEN) {
  void t.test(name, async (t) => t.same(parse(text), expected));
}

void t.test('1,400 bytes are read', async (t) => {
  t.ok(parse(`${HEAD}Port: 1\r\nInfohash: ${A}${END}`.padEnd(1400, 'x')));
});
