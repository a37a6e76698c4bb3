// A torrent after a patch has each of its fields, and the one before is as it was unless it was to be changed itself.
import t from 'tap';
import { patched, patchInPlace } from '../../../../api/web/src/state/patched.js';
import { torrent } from './torrent-samples.js';

void t.test('all fields stay but those of the patch', (t) => {
  const before = torrent('a', {
    name: 'before',
    error: { code: 'DISK_FULL', message: 'no room' },
    trackerHosts: ['x'],
  });
  const kept = structuredClone(before);
  t.strictSame(patched(before, { id: 'a' }), kept);
  t.strictSame(patched(before, { id: 'a', download_rate: 5, error: null }), { ...kept, download_rate: 5, error: null });
  t.strictSame(before, kept);
  t.end();
});

void t.test('in place, it is what the other one would have been', (t) => {
  const before = torrent('a', { name: 'before', trackerHosts: ['x'] });
  const patch = { id: 'a', download_rate: 5, error: null, tags: [] };
  const expected = patched(before, patch);
  patchInPlace(before, patch);
  t.strictSame(before, expected);
  t.end();
});
