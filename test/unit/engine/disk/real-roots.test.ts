// Where save paths really lead: asked for once by many torrents, and again when it may be another.
import t from 'tap';
import { RealRoots } from '../../../../engine/disk/real-roots.js';

void t.test('a second of torrents asks once', async (t) => {
  const asked: string[] = [];
  let nowMs = 0;
  const roots = new RealRoots(
    () => nowMs,
    async (path) => `/real${asked.push(path)}`,
  );
  t.same(await Promise.all([roots.of('/a'), roots.of('/a'), roots.of('/b')]), ['/real1', '/real1', '/real2']);
  nowMs = 999;
  t.equal(await roots.of('/a'), '/real1');
  nowMs = 1_000;
  t.equal(await roots.of('/a'), '/real3', 'a second later the disk is asked again');
  roots.forget('/a');
  t.equal(await roots.of('/a'), '/real4', 'forgotten by a torrent that found something else');
  t.same(asked, ['/a', '/b', '/a', '/a']);
});

void t.test('a failure is told to all who wait, and not remembered', async (t) => {
  let isThere = false;
  const roots = new RealRoots(
    () => 0,
    async (path) => {
      if (!isThere) throw new Error('absent');
      return path;
    },
  );
  const both = [roots.of('/a'), roots.of('/a')];
  await t.rejects(both[0]!, { message: 'absent' });
  await t.rejects(both[1]!, { message: 'absent' });
  isThere = true;
  t.equal(await roots.of('/a'), '/a');
});
