import t from 'tap';
import { AppError } from '../../../../shared-protocol/errors.js';
import { diskError, isRefusedPath, refusedPath, ShortReadError } from '../../../../engine/disk/errors.js';

const failed = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

/** EDQUOT and others, which libuv has no name for. */
function unknownToNode(errno: number): Error {
  const code = `Unknown system error ${errno}`;
  return Object.assign(new Error(`${code}: ${code}, write`), { errno, code, syscall: 'write' });
}

void t.test('what a failure means, with the path relative to the save path', async (t) => {
  const cases = [
    { given: failed('ENOSPC'), expected: 'DISK_FULL' },
    { given: unknownToNode(-122), expected: 'DISK_FULL' },
    { given: failed('ENOENT'), expected: 'FILES_MISSING' },
    { given: new ShortReadError(), expected: 'FILES_MISSING' },
    { given: failed('EIO'), expected: 'DISK_FAILED' },
    { given: failed('EROFS'), expected: 'DISK_FAILED' },
    { given: failed('EACCES'), expected: 'DISK_FAILED' },
    { given: new TypeError('x is undefined'), expected: 'BUG' },
  ] as const;
  for (const { given, expected } of cases) {
    const error = diskError(given, ['box', 'a']);
    t.equal(error.code, expected, given.message);
    t.equal(error.data?.['path'], 'box/a');
  }
  t.equal(diskError(failed('EIO'), ['a']).data?.['errno'], 'EIO');
  t.match(diskError(unknownToNode(-122), ['a']), {
    ...{ message: 'a: the quota on this volume is used up', data: { errno: 'EDQUOT' } },
  });
  t.equal(diskError(unknownToNode(-116), ['a']).message, 'a: the file server does not know it any more');
  const opened = Object.assign(new Error("EACCES: permission denied, open '/srv/one, two/a'"), { code: 'EACCES' });
  t.equal(diskError(opened, ['a']).message, 'a: EACCES: permission denied', 'no path of this machine');
  t.match(diskError(failed('ENAMETOOLONG'), ['a']), {
    ...{ code: 'DISK_FAILED', message: /^a: its name is longer than this volume/, data: { errno: 'ENAMETOOLONG' } },
  });
});

void t.test('an error of ours passes through; a refused path is known as such', async (t) => {
  const ours = new AppError('DISK_FULL', 'full');
  t.equal(diskError(ours, ['a']), ours);
  t.ok(isRefusedPath(refusedPath(['a'], 'is a symbolic link')));
  t.notOk(isRefusedPath(ours));
});
