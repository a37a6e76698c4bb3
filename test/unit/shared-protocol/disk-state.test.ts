import t from 'tap';
import { diskStateOf } from '../../../shared-protocol/disk-state.js';

void t.test('what a refused write says of the disk', async (t) => {
  const cases = [
    { code: 'DISK_FULL', errno: 'EDQUOT', expected: 'full' },
    { code: 'DISK_FAILED', errno: 'EROFS', expected: 'read-only' },
    { code: 'DISK_FAILED', errno: 'EACCES', expected: 'read-only' },
    { code: 'DISK_FAILED', errno: 'EPERM', expected: 'read-only' },
    { code: 'DISK_FAILED', errno: 'EFBIG', expected: 'file-too-large' },
    { code: 'DISK_FAILED', errno: 'EIO', expected: 'failing' },
    { code: 'FILES_MISSING', errno: 'ENOENT', expected: 'ok' },
    { code: 'STORAGE_FAILED', errno: 'EIO', expected: 'ok' },
  ] as const;
  for (const { code, errno, expected } of cases) t.equal(diskStateOf({ code, data: { errno } }), expected, errno);
  t.equal(diskStateOf({ code: 'DISK_FAILED' }), 'failing');
  t.equal(diskStateOf(null), 'ok');
});
