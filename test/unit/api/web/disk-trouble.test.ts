// The words of the banner about a disk that refuses writes.
import t from 'tap';
import { diskTroubleText } from '../../../../api/web/src/features/shell/disk-trouble-text.js';
import { speakAll } from '../../../support/texts.js';
import { torrent } from './torrent-samples.js';

await speakAll('en');

const FULL = { code: 'DISK_FULL', message: 'no room left on the disk (0 MiB free)', data: { free_mib: 0 } };

void t.test('the folder is named, and that hardly anything is free', async (t) => {
  const torrents = [
    torrent('a'),
    torrent('b', { save_path: '/srv/films', error: FULL }),
    torrent('c', { error: FULL }),
  ];
  t.equal(
    diskTroubleText(torrents, 2),
    '/srv/films: No room left on the disk (less than 1 MiB free). 2 downloads are waiting.',
  );
  t.equal(diskTroubleText([torrent('a')], 0), '');
});

void t.test('a folder that the account may not see is not named', async (t) => {
  const text = diskTroubleText([torrent('a', { save_path: '', error: FULL })], 1);
  t.equal(text, 'No room left on the disk (less than 1 MiB free). 1 download is waiting.');
});

void t.test('a message that is a sentence has one full stop', async (t) => {
  const error = { code: 'DISK_FAILED', message: 'disk failure' };
  t.match(diskTroubleText([torrent('a', { error })], 1), /: The disk failed\. 1 download is waiting\.$/);
});
