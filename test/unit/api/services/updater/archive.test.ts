// What an archive may hold, entry by entry; and whole archives as their makers should not write them.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Pax, type HeaderData } from 'tar';
import t from 'tap';
import { entryCheck, unpackRelease } from '../../../../../api/services/updater/archive.js';
import { contentOf } from '../../../../support/releases.js';
import { setChecksum, tarBlocks, TAR_END } from '../../../../support/tar-blocks.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const NO_SIGNAL = new AbortController().signal;

const file = (path: string, change: Partial<HeaderData> = {}) =>
  ({ path, type: 'File', mode: 0o644, size: 12, ...change }) as const;
const TOP = file('swarmd-1.0.0/', { type: 'Directory', mode: 0o755, size: 0 });

for (const { name, entries, fault } of [
  { name: 'a release', entries: [TOP, file('swarmd-1.0.0/package.json'), file('swarmd-1.0.0/a b/[c] (d).js')] },
  { name: 'a name that leads out', entries: [TOP, file('swarmd-1.0.0/../../evil')], fault: /not safe/ },
  { name: 'an absolute name', entries: [file('/etc/passwd')], fault: /not safe/ },
  { name: 'a dot', entries: [{ ...TOP, path: './' }], fault: /not safe/ },
  { name: 'an empty element', entries: [TOP, file('swarmd-1.0.0//a')], fault: /not safe/ },
  { name: 'a backslash', entries: [TOP, file('swarmd-1.0.0/..\\a')], fault: /not safe/ },
  { name: 'a line break', entries: [TOP, file('swarmd-1.0.0/a\nb')], fault: /not safe/ },
  { name: 'a character that looks like another', entries: [TOP, file('swarmd-1.0.0/\u0430')], fault: /not safe/ },
  { name: 'a symbolic link', entries: [TOP, file('swarmd-1.0.0/a', { type: 'SymbolicLink' })], fault: /neither/ },
  { name: 'a hard link', entries: [TOP, file('swarmd-1.0.0/a', { type: 'Link' })], fault: /neither/ },
  { name: 'a device', entries: [TOP, file('swarmd-1.0.0/a', { type: 'CharacterDevice' })], fault: /neither/ },
  { name: 'a FIFO', entries: [TOP, file('swarmd-1.0.0/a', { type: 'FIFO' })], fault: /neither/ },
  { name: 'what is not understood', entries: [TOP, file('swarmd-1.0.0/a', { type: 'Unsupported' })], fault: /neither/ },
  {
    name: 'a program that runs as another',
    entries: [TOP, file('swarmd-1.0.0/a', { mode: 0o4755 })],
    fault: /special/,
  },
  { name: 'two folders', entries: [TOP, file('other/a')], fault: /one folder/ },
  { name: 'a file at the top', entries: [file('package.json')], fault: /one folder/ },
  { name: 'a bomb', entries: [TOP, ...Array(2).fill(file('swarmd-1.0.0/a', { size: 1.1e9 }))], fault: /larger than/ },
  { name: 'too many', entries: [TOP, ...Array(100_000).fill(file('swarmd-1.0.0/a'))], fault: /more than/ },
] satisfies { name: string; entries: ReturnType<typeof file>[]; fault?: RegExp }[]) {
  void t.test(name, async (t) => {
    const faultOf = entryCheck();
    const faults = entries.map(faultOf);
    t.same(
      faults.slice(0, -1).filter((found) => found !== null),
      [],
    );
    if (fault) t.match(faults.at(-1), fault);
    else t.equal(faults.at(-1), null);
  });
}

const FOLDER = tarBlocks({ path: 'r/', type: 'Directory', mode: 0o755 });

function ofType(type: string): Buffer {
  const header = tarBlocks({ path: 'r/a' });
  header.write(type, 156, 'latin1');
  setChecksum(header);
  return header;
}

/** What stands in the target after it, or why it is refused. */
async function unpack(packed: Buffer, signal = NO_SIGNAL): Promise<string[] | string> {
  const folder = await temporaryDirectory();
  const [archive, target] = [join(folder, 'a.tar.gz'), await temporaryDirectory()];
  await writeFile(archive, packed);
  try {
    await unpackRelease(archive, target, signal);
    return await contentOf(target);
  } catch (error) {
    t.same(await readdir(target), [], 'nothing is written');
    t.match(error, { code: 'UPDATE_FAILED' });
    return error instanceof Error ? error.message : '';
  }
}
const unpackTar = (...parts: Buffer[]) => unpack(gzipSync(Buffer.concat([...parts, TAR_END])));

void t.test('an archive comes to lie in the target without its folder', async (t) => {
  const long = `r/${'l'.repeat(120)}`;
  const pax = new Pax({ path: `${long}/p`, mtime: new Date(0) }).encode();
  const content = await unpackTar(FOLDER, tarBlocks({ path: 'r/d/f' }, 'one'), pax, tarBlocks({ path: 'x' }, 'two'));
  t.same(content, ['d/', 'd/f: b25l', `${'l'.repeat(120)}/`, `${'l'.repeat(120)}/p: dHdv`]);
});

void t.test('archives that are refused before anything is written', async (t) => {
  const good = tarBlocks({ path: 'r/a' }, 'x');
  const member = (bytes: Buffer) => gzipSync(bytes);
  for (const [name, packed, expected] of [
    ['no gzip', Buffer.from('hello'), /cannot be read/],
    ['nothing', Buffer.alloc(0), /cannot be read/],
    ['no archive', member(Buffer.from('hello'.repeat(1_000))), /cannot be read/],
    ['no entries', member(TAR_END), /cannot be read/],
    ['not compressed', Buffer.concat([FOLDER, good, TAR_END]), /cannot be read/],
    ['compressed twice', member(member(Buffer.concat([FOLDER, good, TAR_END]))), /compressed twice/],
    [
      'cut off',
      member(Buffer.concat([FOLDER, tarBlocks({ path: 'r/a' }, 'x'.repeat(2_000)).subarray(0, 1_024)])),
      /cannot be read/,
    ],
    ['cut off while compressed', member(Buffer.concat([FOLDER, good, TAR_END])).subarray(0, -20), /cannot be read/],
    ['a damaged header', member(Buffer.concat([FOLDER, Buffer.alloc(512, 'x'), TAR_END])), /cannot be read/],
    [
      'a link by its extended header',
      member(
        Buffer.concat([
          FOLDER,
          new Pax({ linkpath: '/etc' }).encode(),
          tarBlocks({ path: 'r/a', type: 'SymbolicLink', linkpath: 'x' }),
          TAR_END,
        ]),
      ),
      /neither/,
    ],
    [
      'a name by its extended header',
      member(Buffer.concat([FOLDER, new Pax({ path: 'r/../../a' }).encode(), good, TAR_END])),
      /not safe/,
    ],
    ['a sparse file', member(Buffer.concat([FOLDER, ofType('S'), TAR_END])), /neither/],
    ['an unknown kind', member(Buffer.concat([FOLDER, ofType('Z'), TAR_END])), /neither/],
    [
      'a name of two MiB',
      member(
        Buffer.concat([
          FOLDER,
          tarBlocks({ path: 'x', type: 'NextFileHasLongPath' }, 'x'.repeat(2 * MIB)),
          good,
          TAR_END,
        ]),
      ),
      /neither/,
    ],
    [
      'a fault behind much that is good',
      member(Buffer.concat([FOLDER, ...Array<Buffer>(5_000).fill(good), tarBlocks({ path: 'r/../a' }), TAR_END])),
      /not safe/,
    ],
    [
      'a bomb of extended headers',
      Buffer.concat([
        member(FOLDER),
        ...Array<Buffer>(2_100).fill(member(tarBlocks({ path: 'x', type: 'ExtendedHeader' }, 'x'.repeat(MIB - 512)))),
      ]),
      /larger than/,
    ],
  ] as const) {
    t.match(await unpack(packed), expected, name);
  }
});

void t.test('what stands behind the end of an archive is not read', async (t) => {
  const whole = gzipSync(Buffer.concat([FOLDER, tarBlocks({ path: 'r/a' }, 'x'), TAR_END]));
  const endless = Array<Buffer>(200).fill(gzipSync(Buffer.alloc(16 * MIB)));
  t.same(await unpack(Buffer.concat([whole, ...endless])), ['a: eA==']);
});

void t.test('it can be given up', async (t) => {
  const packed = gzipSync(Buffer.concat([FOLDER, tarBlocks({ path: 'r/a' }, 'x'), TAR_END]));
  t.equal(await unpack(packed, AbortSignal.abort()), 'given up');
});
