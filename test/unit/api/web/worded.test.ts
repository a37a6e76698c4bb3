// The server's messages as people read them.
import t from 'tap';
import { trackerText } from '../../../../api/web/src/features/details/tracker-words.js';
import { worded } from '../../../../api/web/src/net/worded.js';
import { messageOf } from '../../../../api/web/src/state/torrent-state.js';
import { speakAll } from '../../../support/texts.js';
import { torrent } from './torrent-samples.js';

await speakAll('en');

void t.test('what the server says is worded by its code', async (t) => {
  for (const [said, reason, shown] of [
    ['url: Download failed: HTTP 404', { code: 'HTTP_STATUS', data: { status: 404 } }, 'Download failed: HTTP 404.'],
    ['anything', { code: 'PATH_NOT_ABSOLUTE' }, 'Enter an absolute path, e.g. /data/torrents.'],
    ['anything', { code: 'URL_NOT_HTTP' }, 'Enter an http or https URL.'],
    ['…', { code: 'PEER_ADDRESS_INVALID', data: { text: 'foo' } }, '"foo" is not in the form address:port.'],
    ['…', { code: 'PATH_NOT_FOUND', data: { path: '/srv/films' } }, '/srv/films does not exist on the server.'],
    [
      '…',
      { code: 'PATH_NOT_READABLE', data: { path: '/a', errno: 'EACCES' } },
      '/a cannot be read (permission denied).',
    ],
    ['…', { code: 'PATH_NOT_READABLE', data: { path: '/a', errno: 'ELOOP' } }, '/a cannot be read (ELOOP).'],
    [
      'torrent: it does not run',
      { code: 'TORRENT_NOT_RUNNING' },
      'This torrent is paused or queued, so it does not announce.',
    ],
    ['torrent: its metadata', { code: 'METADATA_UNKNOWN' }, 'Its metadata has not been downloaded yet.'],
    ['recheck: asked for', { code: 'CHECKED_LATELY' }, 'It was checked a few minutes ago. Try again later.'],
    [
      'paused: its account has no room for it',
      { code: 'QUOTA_EXCEEDED', data: { held: 'bytes' } },
      'Paused by your quota: there is no room for it. It starts when there is.',
    ],
    ['servers: at most 20', { code: 'QUOTA_EXCEEDED', data: { of: 'servers', max: 20 } }, 'There can be 20 at most.'],
    ['storage failure: disk full', { code: 'DISK_FULL' }, 'The disk is full.'],
    ['storage failure', { code: 'STORAGE_FAILED' }, 'Swarmd could not save its data.'],
    ['…', { code: 'STORAGE_FAILED', data: { errno: 'EIO' } }, 'Swarmd could not save its data (the disk failed).'],
    ['path: /a cannot be read', { code: 'PATH_NOT_READABLE' }, 'Path: /a cannot be read'],
    ['path: of a later version', { code: 'PATH_IS_ROUND' }, 'Path: of a later version'],
    ['a', { code: 'constructor' }, 'A'],
  ] as const) {
    t.equal(worded(said, reason), shown, `${said} ${reason.code}`);
  }
});

void t.test('a quota that is reached is told with its figures', async (t) => {
  t.teardown(() => speakAll('en'));
  const told = (data: Readonly<Record<string, string | number>>) =>
    worded('quota: full', { code: 'QUOTA_EXCEEDED', data });
  const room = { of: 'bytes', used: 3 * 1024 ** 3, max: 4 * 1024 ** 3 };
  t.equal(told(room), 'Your quota is used up: 3.00 GiB of 4.00 GiB. Remove some torrents first.');
  t.match(told({ ...room, wanted: 2 * 1024 ** 3 }), /no room for 2\.00 GiB more/);
  t.equal(
    told({ of: 'torrents', used: 5, max: 5 }),
    'You have 5 of the 5 torrents that your quota allows. Remove some first.',
  );
  t.match(told({ of: 'running', used: 1, max: 1 }), /^1 of the 1 .* Pause one first\.$/);
  t.match(told({ of: 'uploaded', max: 1024 ** 4, from: '2026-12-01' }), /the 1\.00 TiB .* from .*2026/);
  for (const from of ['2026-99-99', 'soon', ''])
    t.equal(told({ of: 'uploaded', max: 1, from }), 'Quota: full', 'a server of another kind');
  for (const odd of [{ of: 'bytes' }, { of: 'bytes', max: 'all' }, { of: 'x', used: 1, max: 2 }, {}] as const)
    t.equal(told(odd), 'Quota: full', JSON.stringify(odd));
  await speakAll('de');
  t.equal(told(room), 'Das Kontingent ist aufgebraucht: 3,00 GiB von 4,00 GiB. Bitte zuerst Torrents entfernen.');
});

void t.test('what the server says without a code is a sentence as well', async (t) => {
  for (const [said, shown] of [
    ['forbidden', 'You don’t have permission to do this.'],
    ['updater disabled', 'No update source is configured (--update-url).'],
    ['torrent not found', 'This torrent no longer exists.'],
    ['category not found', 'This no longer exists.'],
    ['info: missing `pieces`', 'Info: missing `pieces`'],
    ['Service Unavailable', 'Service Unavailable'],
  ] as const) {
    t.equal(worded(said), shown, said);
  }
});

void t.test('what another server says is told with its name', async (t) => {
  const attic = { server: 'attic' };
  const gone = { code: 'REMOTE_REFUSED', data: { ...attic, said: 'torrent not found' } };
  t.equal(worded('server attic: torrent not found', gone), 'attic: This torrent no longer exists.');
  const away = { code: 'REMOTE_AWAY', data: { ...attic, said: 'connection refused', why: 'CONNECTION_REFUSED' } };
  t.equal(worded('server attic: connection refused', away), 'attic: Connection refused');
  const disk = { code: 'PATH_NOT_WRITABLE', data: { ...attic, said: 'path: not writable', errno: 'EROFS' } };
  t.equal(
    worded('server attic: path: not writable', disk),
    'attic: Swarmd cannot write to this folder (read-only file system).',
  );
});

void t.test('a full disk is told in the language of the page', async (t) => {
  t.teardown(() => speakAll('en'));
  const full = (free_mib: number) =>
    messageOf(torrent('x', { error: { code: 'DISK_FULL', message: 'no room', data: { free_mib } } }));
  t.equal(full(7), 'No room left on the disk (7 MiB free)');
  t.equal(full(0), 'No room left on the disk (less than 1 MiB free)');
  await speakAll('de');
  t.equal(full(7), 'Kein Platz mehr auf dem Datenträger (7 MiB frei)');
});

void t.test('how a tracker answered is told in words, and what it says itself as it came', async (t) => {
  for (const [status, shown] of [
    ['working', 'Working'],
    ['not contacted', 'Not contacted yet'],
    ['error: connection refused', 'Connection refused'],
    ['error: no answer within 15 s', 'No answer'],
    ['error: HTTP status 502', 'HTTP status 502'],
    ['error: Torrent not registered with this tracker.', 'Torrent not registered with this tracker.'],
    ['error: forbidden', 'forbidden'],
  ] as const) {
    t.equal(trackerText(status), shown, status);
  }
  const told = (message: string) =>
    messageOf(torrent('x', { tracker_error: { host: 'a.example', code: 'UNREACHABLE', message } }));
  t.equal(told('timed out'), 'a.example: No answer', 'also where it is told of the torrent');
  t.equal(told('forbidden'), 'a.example: forbidden');
});
