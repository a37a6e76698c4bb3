// The server's messages as people read them.
import t from 'tap';
import { trackerText } from '../../../../api/web/src/features/details/tracker-words.js';
import { worded } from '../../../../api/web/src/net/worded.js';
import { messageOf } from '../../../../api/web/src/state/torrent-state.js';
import { speakAll } from '../../../support/texts.js';
import { torrent } from './torrent-samples.js';

await speakAll('en');

void t.test('messages of the server are sentences', async (t) => {
  for (const [said, shown] of [
    ['url: Download failed: HTTP 404', 'Download failed: HTTP 404.'],
    ['url: This URL points to a private address. Allow it with --fetch-allow.', null],
    ['save_path: Enter an absolute path, e.g. /data/torrents.', 'Enter an absolute path, e.g. /data/torrents.'],
    ['feed: Not an RSS or Atom feed.', 'Not an RSS or Atom feed.'],
    ['url: not a URL', 'Enter an http or https URL.'],
    ['url: expected an http or https URL', 'Enter an http or https URL.'],
    ['updater disabled', 'No update source is configured (--update-url).'],
    ['peers: "foo" is not in the form address:port.', '"foo" is not in the form address:port.'],
    ['regex: Invalid regular expression: missing closing ): `Docu(mentary`', null],
    ['storage failure: disk full', 'The disk is full.'],
    ['category not found', 'This no longer exists.'],
    ['info: missing `pieces`', 'Info: missing `pieces`'],
    ['Service Unavailable', 'Service Unavailable'],
    ['path: /srv/films is not there', '/srv/films does not exist on the server.'],
    ['path: /srv/films cannot be read (EACCES)', '/srv/films cannot be read (EACCES).'],
    ['feed: connection refused', 'Connection refused'],
    ['feed: the certificate or TLS of the server is not valid', 'The certificate of the server is not valid'],
    ['server attic: torrent not found', 'attic: This torrent no longer exists.'],
    ['server a: b: it refuses the key', 'a: B: it refuses the key'],
  ] as const) {
    t.equal(worded(said), shown ?? said.slice(said.indexOf(': ') + 2), said);
  }
});

void t.test('a full disk is told in the language of the page', async (t) => {
  t.teardown(() => speakAll('en'));
  const said = 'no room left on the disk (7 MiB free)';
  t.equal(worded(said), 'No room left on the disk (7 MiB free)');
  t.equal(worded('no room left on the disk (0 MiB free)'), 'No room left on the disk (less than 1 MiB free)');
  await speakAll('de');
  t.equal(worded(said), 'Kein Platz mehr auf dem Datenträger (7 MiB frei)');
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
