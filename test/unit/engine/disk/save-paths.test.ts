// Whether a save path is still on the volume it was on (docs/semantics.md section 5).
import t from 'tap';
import { isSameVolume, SavePaths, type Sighting } from '../../../../engine/disk/save-paths.js';

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

void t.test('what is known outlives a run, and is forgotten with the last torrent', async (t) => {
  let now = SEEN;
  let kept: Uint8Array | undefined;
  const open = (): SavePaths => {
    const paths = new SavePaths(async () => now);
    paths.onChanged = (known) => (kept = known);
    paths.load(kept);
    return paths;
  };
  const first = open();
  t.ok(await first.isHere('/save'));
  t.equal(kept, undefined, 'nobody uses it');
  first.use('/save');
  first.use('/save');
  t.ok(await first.isHere('/save'));
  t.equal(first.deviceOf('/save'), 1);

  now = { exists: true, device: 5, inode: 6, birthMs: 7 };
  const second = open();
  second.use('/save');
  t.notOk(await second.isHere('/save'));
  await t.rejects(second.assertHere('/save'), { code: 'ENODEV' });
  await second.adopt('/save');
  t.ok(await second.isHere('/save'));
  now = SEEN;
  t.notOk(await second.isHere('/save'));
  second.leave('/save');
  t.ok(await second.isHere('/save'), 'another volume may come there');
  const third = open();
  third.use('/save');
  t.ok(await third.isHere('/save'));

  kept = Buffer.from('no JSON');
  const damaged = open();
  damaged.use('/save');
  t.ok(await damaged.isHere('/save'));
});
