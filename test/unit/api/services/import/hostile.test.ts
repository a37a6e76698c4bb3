// Records of other programs that were made to do harm, or are broken: each is refused with a reason, and nothing is run, followed or
// allocated because of it.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readPickle } from '../../../../../api/services/import/deluge/pickle.js';
import { openQbittorrent } from '../../../../../api/services/import/qbittorrent/qbittorrent.js';
import { readRecord } from '../../../../../api/services/import/record-values.js';
import { StateDirectory } from '../../../../../api/services/import/state-directory.js';
import { AppError } from '../../../../../shared-protocol/errors.js';

const STATE = 'deluge.core.torrentmanager TorrentManagerState';
const CLASSES = new Set([STATE]);
const UNREADABLE = { code: 'IMPORT_UNREADABLE' };

t.test('a pickle that would call something', async (t) => {
  const call = Buffer.from('\x80\x02cos\nsystem\nq\x00X\x02\x00\x00\x00id\x85R.', 'latin1');
  t.throws(() => readPickle(call, 'torrents.state', CLASSES), { ...UNREADABLE, message: /names "os system"/ });
  const named = Buffer.from(`\x80\x02c${STATE.replace(' ', '\n')}\n)R.`, 'latin1');
  t.throws(
    () => readPickle(named, 'torrents.state', CLASSES),
    { ...UNREADABLE, message: /opcode/ },
    'nor of a class that it may name',
  );
});

t.test('a pickle of data', async (t) => {
  const bytes = Buffer.from(
    `\x80\x02c${STATE.replace(' ', '\n')}\n)\x81}X\x01\x00\x00\x00a](K\x01J\xff\xff\xff\xff\x88NG\x3f\xf8\x00\x00\x00\x00\x00\x00esb.`,
    'latin1',
  );
  t.same(readPickle(bytes, 'torrents.state', CLASSES), new Map([['a', [1, -1, true, null, 1.5]]]));
});

t.test('a pickle cut anywhere, or with any byte changed', async (t) => {
  const whole = Buffer.from(`\x80\x02}(X\x01\x00\x00\x00a]q\x00(K\x01K\x02eX\x01\x00\x00\x00bh\x00u.`, 'latin1');
  const refusal = (bytes: Buffer): boolean => {
    try {
      readPickle(bytes, 'x', CLASSES);
      return true;
    } catch (error) {
      return error instanceof AppError && error.code === 'IMPORT_UNREADABLE';
    }
  };
  t.ok(readPickle(whole, 'x', CLASSES));
  for (let at = 0; at < whole.length; at++) {
    t.ok(refusal(whole.subarray(0, at)), `cut at ${at}`);
    const changed = [...Array(256).keys()].filter((byte) => {
      const bytes = Buffer.from(whole);
      bytes[at] = byte;
      return !refusal(bytes);
    });
    t.same(changed, [], `byte ${at}`);
  }
});

t.test('bencode nested a hundred thousand deep', async (t) => {
  t.throws(() => readRecord(Buffer.from('l'.repeat(100_000)), 'a.fastresume'), {
    ...UNREADABLE,
    message: /^a\.fastresume: /,
  });
});

t.test('links and devices in the place of records', async (t) => {
  const home = t.testdir({ 'secret.fastresume': 'd3:fooi1ee' });
  await mkdir(join(home, 'BT_backup'));
  await symlink(join(home, 'secret.fastresume'), join(home, 'BT_backup', 'a.fastresume'));
  await mkdir(join(home, 'BT_backup', 'b.fastresume'));
  await writeFile(join(home, 'BT_backup', 'c.fastresume'), 'd3:foo');
  const library = await openQbittorrent((await (await StateDirectory.open(home)).firstOf(['BT_backup']))!, tmpdir());
  t.same(library.entries, ['a.fastresume', 'b.fastresume', 'c.fastresume']);
  await t.rejects(library.read('a.fastresume'), { ...UNREADABLE, message: /symbolic link/ });
  await t.rejects(library.read('b.fastresume'), { ...UNREADABLE, message: /is no file/ });
  await t.rejects(library.read('c.fastresume'), { ...UNREADABLE, message: /^c\.fastresume: / });
});

t.test('a folder that leads out of the directory', async (t) => {
  const outside = t.testdir({ elsewhere: { 'a.fastresume': 'de' }, home: {} });
  await symlink(join(outside, 'elsewhere'), join(outside, 'home', 'BT_backup'));
  await t.rejects(openQbittorrent(await StateDirectory.open(join(outside, 'home')), tmpdir()), UNREADABLE);
});
