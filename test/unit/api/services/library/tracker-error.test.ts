// What a tracker's failure means, told from its words; and what viewers do not see of them.
import t from 'tap';
import { codeOf, toTrackerErrorDto } from '../../../../../api/services/library/tracker-error.js';

const refusal = (message: string) => codeOf({ message, isRefusal: true });

void t.test('trackers say in many ways that they do not know a torrent', (t) => {
  for (const words of [
    'Unregistered torrent',
    'unregistered torrent pass the torrent on',
    'Torrent not registered with this tracker.',
    'Torrent is not authorized for use on this tracker',
    'Torrent not found',
    'Torrent has been deleted.',
    'InfoHash not found.',
    'info hash unknown',
    'unknown info_hash',
    'This torrent does not exist',
    'Torrent does not exist on our server',
    'Trumped: see https://tracker.example/1',
  ]) {
    t.equal(refusal(words), 'UNREGISTERED', words);
  }
  t.end();
});

void t.test('other words of theirs are a refusal, and words of ours say that none came', (t) => {
  for (const words of [
    'You have too many active torrents',
    'passkey not found',
    'Rate limited',
    'IP address is banned',
  ]) {
    t.equal(refusal(words), 'REFUSED', words);
  }
  t.equal(codeOf({ message: 'unregistered torrent', isRefusal: false }), 'UNREACHABLE');
  t.end();
});

void t.test('words without end are looked at in no time', (t) => {
  const began = process.cpuUsage().user;
  for (const word of ['torrent ', 'torrent not ', 'info_hash is ', ' not']) refusal(word.repeat(20_000));
  t.ok(process.cpuUsage().user - began < 5e6);
  t.end();
});

void t.test('viewers see no passkey, not even one that the tracker repeats', (t) => {
  const url = 'https://tracker.example/0123456789abcdef0123456789abcdef/announce';
  const error = { url, message: 'key 0123456789abcdef0123456789abcdef is blocked', isRefusal: true };
  t.same(toTrackerErrorDto(error, 'viewer'), {
    code: 'REFUSED',
    host: 'tracker.example',
    message: 'key *** is blocked',
  });
  t.match(toTrackerErrorDto(error, 'editor'), { message: error.message });
  t.end();
});
