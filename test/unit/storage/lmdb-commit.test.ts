// What is said of a commit that failed.
import t from 'tap';
import { commitFailure } from '../../../storage/lmdb-commit.js';

const PAGE = ': Attempting to write page at position 16384, size 8192, blocks 2, buffer sizes 4096 4096 0';

void t.test('why, in words for people', async (t) => {
  for (const [message, code, said, errno] of [
    [`Read-only file system${PAGE}`, 30, 'torrent store: cannot write: Read-only file system', 'EROFS'],
    [`No space left on device${PAGE}`, 28, 'torrent store: cannot write: disk full', 'ENOSPC'],
    ['Disk quota exceeded', 122, 'torrent store: cannot write: disk full', 'ENOSPC'],
    ['Bad file descriptor', 9, 'torrent store: cannot write: Bad file descriptor', 'EBADF'],
    ['MDB_CORRUPTED', -30_796, 'torrent store: cannot write: MDB_CORRUPTED', undefined],
  ] as const) {
    const failure = await commitFailure('torrent store', Object.assign(new Error(message), { code }));
    t.match(failure, { code: 'STORAGE_FAILED', message: said });
    t.equal(failure.message, said);
    t.equal(failure.data?.['errno'], errno);
  }
});
