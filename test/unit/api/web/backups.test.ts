// What the page says of a backup that came to nothing.
import t from 'tap';
import { failureWords } from '../../../../api/web/src/features/backups/failure-words.js';
import { speakAll } from '../../../support/texts.js';

await speakAll('en', 'en-GB');

void t.test('why it failed', async (t) => {
  for (const [error, said] of [
    ['ENOSPC: no space left on device, write', 'The disk with the folder for backups is full.'],
    ['EDQUOT: disk quota exceeded, write', 'The disk with the folder for backups is full.'],
    ["EACCES: permission denied, mkdir '/b'", 'Swarmd cannot write to the folder for backups (EACCES).'],
    ["EROFS: read-only file system, mkdir '/b'", 'Swarmd cannot write to the folder for backups (EROFS).'],
    ["EEXIST: file already exists, mkdir '/b'", 'The folder for backups cannot be used: there is a file in its place.'],
    ["ENOTDIR: not a directory, mkdir '/b/c'", 'The folder for backups cannot be used: there is a file in its place.'],
    ['its process has ended (SIGKILL)', 'The process that writes it ended early (SIGKILL).'],
    ['EIO: i/o error, read', 'EIO: i/o error, read'],
    ['something else', 'Something else'],
  ] as const) {
    t.equal(failureWords(error), said, error);
  }
});
