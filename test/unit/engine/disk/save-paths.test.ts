// Whether a save path is still on the volume it was on (docs/semantics.md section 5).
import t from 'tap';
import { SavePaths } from '../../../../engine/disk/save-paths.js';
import type { Sighting } from '../../../../storage/folder-sighting.js';

const SEEN: Sighting = { exists: true, device: 1, inode: 2, birthMs: 3 };

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
