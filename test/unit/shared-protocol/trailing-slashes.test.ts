import t from 'tap';
import { withoutTrailingSlashes } from '../../../shared-protocol/trailing-slashes.js';

void t.test('slashes at the end go, and no others', async (t) => {
  for (const [given, expected] of [
    ['/srv/films', '/srv/films'],
    ['/srv//films//', '/srv//films'],
    ['//', ''],
    ['', ''],
  ] as const) {
    t.equal(withoutTrailingSlashes(given), expected, given);
  }
});

void t.test('many that are not at the end are looked at once', async (t) => {
  const path = `${'/'.repeat(16 * 1024 * 1024)}x`;
  t.ok(withoutTrailingSlashes(path) === path);
});
