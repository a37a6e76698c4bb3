// Whole lists, however they are cut and packed; here and in a thread of their own.
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { readList, type ReadList } from '../../../../../api/services/blocklist/list-reader.js';
import { readListInThread } from '../../../../../api/services/blocklist/list-thread.js';
import { countRanges, RangeLookup } from '../../../../../shared-protocol/address-ranges.js';

const LIST = [
  '# a comment',
  'some range:1.2.4.0-1.2.4.255\r',
  '005.006.007.008 - 005.006.007.009 , 000 , other',
  '005.006.007.010 - 005.006.007.011 , 200 , let in',
  'nonsense',
  '2001:db8::/32',
  'last line without an end:9.9.9.9-9.9.9.9',
].join('\n');

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const never = () => new AbortController().signal;

const WAYS: Readonly<Record<string, (bytes: Uint8Array, size: number) => Promise<ReadList>>> = {
  'in this thread': (bytes, size) => readList(cut(bytes, size)),
  'in a thread of its own': (bytes, size) => readListInThread(cut(bytes, size), never()),
};

for (const [way, read] of Object.entries(WAYS)) {
  void t.test(`a list read ${way}`, async (t) => {
    for (const [name, bytes, size] of [
      ['as text', Buffer.from(LIST), 1_000],
      ['in small pieces', Buffer.from(LIST), 7],
      ['gzipped', gzipSync(LIST), 1_000],
      ['gzipped, in small pieces', gzipSync(LIST), 5],
    ] as const) {
      const { ranges, entries, skipped } = await read(bytes, size);
      t.match({ entries, skipped, ranges: countRanges(ranges) }, { entries: 6, skipped: 1, ranges: 4 }, name);
      const lookup = new RangeLookup(ranges);
      for (const address of ['1.2.4.7', '5.6.7.8', '9.9.9.9', '2001:db8::77']) t.ok(lookup.has(address), address);
      for (const address of ['1.2.5.0', '5.6.7.10', '9.9.9.8', '2001:db9::']) t.notOk(lookup.has(address), address);
    }
  });

  void t.test(`what is refused ${way}`, async (t) => {
    const cases: readonly (readonly [string, Uint8Array, string])[] = [
      ['no list', Buffer.from('<html>\n// script\n<body>no such list</body>\n'), 'no line of it is understood'],
      ['one endless line', Buffer.alloc(3_000_000, 0x31), 'no line of it is understood'],
      ['half of a gzip file', gzipSync(LIST.repeat(50)).subarray(0, 60), 'the body is not compressed as it says'],
      ['zip', Buffer.from('PK\x03\x04…'), 'the list is a zip archive: only text and gzip are understood'],
      ['7-Zip', Buffer.from('7z\xbc\xaf', 'latin1'), 'the list is a 7-Zip archive: only text and gzip are understood'],
      ['bzip2', Buffer.from('BZh9'), 'the list is a bzip2 file: only text and gzip are understood'],
      [
        'P2B',
        Buffer.from('\xff\xff\xff\xffP2B', 'latin1'),
        'the list is in the binary P2B format: only text and gzip are understood',
      ],
    ];
    for (const [name, bytes, message] of cases) {
      const thrown = await read(bytes, 64 * 1024).catch((error: Error & { code?: string }) => error);
      if (name === 'half of a gzip file' && way === 'in this thread') t.match(thrown, { code: 'Z_BUF_ERROR' }, name);
      else t.match(thrown, { code: 'FETCH_FAILED', message }, name);
    }
  });

  void t.test(`nothing of anything ${way}`, async (t) => {
    for (const [text, entries] of [
      ['', 0],
      ['\n\r\n\n', 3],
      ['# nobody is bad\n', 1],
      ['1.0.0.0 - 1.0.0.9 , 255 , let in\nnonsense\n', 2],
    ] as const) {
      const list = await read(Buffer.from(text), 100);
      t.match(
        { entries: list.entries, ranges: countRanges(list.ranges) },
        { entries, ranges: 0 },
        JSON.stringify(text),
      );
    }
  });
}

void t.test('a gzip bomb is cut off, and nothing of it is kept', async (t) => {
  const megabytes = 280;
  const bomb = Buffer.concat(Array<Buffer>(megabytes / 40).fill(gzipSync(Buffer.alloc(40 * 1024 * 1024))));
  const reading = readListInThread(cut(bomb, 16 * 1024), never());
  await t.rejects(reading, { code: 'FETCH_FAILED', message: `larger than ${256 * 1024 * 1024} bytes` });
});

void t.test('a body that fails is what is told, and a reader that gives up ends both', async (t) => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(LIST);
    throw new Error('reset');
  }
  await t.rejects(readListInThread(failing(), never()), { message: 'reset' });

  const controller = new AbortController();
  let isEnded = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; ; at++) {
        if (at === 3) controller.abort();
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.from('1.2.3.4\n');
      }
    } finally {
      isEnded = true;
    }
  }
  await t.rejects(readListInThread(endless(), controller.signal), { code: 'FETCH_FAILED', message: 'given up' });
  t.ok(isEnded);
  await t.rejects(readListInThread(endless(), controller.signal), 'aborted before');
});
