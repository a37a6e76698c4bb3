// Places in the queue by qBittorrent's interface: torrents that are named together are moved together, and only while there is a
// queue.
import t from 'tap';
import { change, EDITED, HIDDEN, OWN, setCompatibleScene, VIEWED } from '../../../support/compatible-scene.js';

void t.test('to the top, to the end, and by one place', async (t) => {
  const scene = await setCompatibleScene(t);
  const order = async () => {
    const list = await scene.admin.ask<{ id: string; queue_position: number }[]>('GET', '/api/torrents');
    return list.sort((a, b) => a.queue_position - b.queue_position).map(({ id }) => id);
  };
  const ask = (route: string, hashes: string) => change(scene, scene.ann, `torrents/${route}`, { hashes });
  t.match(await ask('topPrio', EDITED), { status: 409, text: 'Torrent queueing must be enabled' });
  t.same(await order(), [OWN, EDITED, VIEWED, HIDDEN]);
  await scene.admin.ask('PUT', '/api/settings/queue_limits', { max_active_downloads: 1, max_active_seeds: 0 });
  t.match(await ask('bottomPrio', `${EDITED}|${OWN}`), { status: 200, text: '' });
  t.same(await order(), [VIEWED, HIDDEN, OWN, EDITED], 'they keep their order');
  t.equal((await ask('increasePrio', EDITED)).status, 200);
  t.same(await order(), [VIEWED, HIDDEN, EDITED, OWN]);
  t.equal((await ask('decreasePrio', EDITED)).status, 200);
  t.same(await order(), [VIEWED, HIDDEN, OWN, EDITED]);
  t.equal((await ask('topPrio', 'all')).status, 200, 'all that it may edit');
  t.same(await order(), [OWN, EDITED, VIEWED, HIDDEN]);
});
