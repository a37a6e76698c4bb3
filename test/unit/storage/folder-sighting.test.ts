// Whether a folder is still on the volume it was on.
import t from 'tap';
import { isSameVolume, type Sighting } from '../../../storage/folder-sighting.js';

const SEEN: Sighting = { exists: true, device: 1, inode: 2, birthMs: 3 };

void t.test('one volume or another', async (t) => {
  const cases: readonly (readonly [string, Partial<Sighting>, Partial<Sighting>, boolean])[] = [
    ['the same', {}, {}, true],
    ['removed from its volume', {}, { exists: false, inode: 9 }, true],
    ['made anew on its volume', {}, { inode: 9, birthMs: 9 }, true],
    ['another number after a boot', {}, { device: 7 }, true],
    ['the folder below the mount point', {}, { device: 7, inode: 9, birthMs: 9 }, false],
    ['another disk at the same place', {}, { device: 7, birthMs: 9 }, false],
    ['gone with its volume', {}, { device: 7, exists: false }, false],
    ['not made yet, on a volume that is gone', { exists: false }, { device: 7, exists: false }, false],
    ['not made yet, and here now', { exists: false }, { device: 7 }, true],
  ];
  for (const [name, before, now, same] of cases) {
    t.equal(isSameVolume({ ...SEEN, ...before }, { ...SEEN, ...now }), same, name);
  }
});
