// Trackers of a list by address as text: whole, in parts, and with others answered in between.
import t from 'tap';
import { trackersJson } from '../../../../../api/compatible/qbittorrent/objects/trackers.js';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';

const ID = parseInfoHash('a'.repeat(40));

void t.test('parts together are the JSON, however many there are', async (t) => {
  for (const count of [0, 1, 2, 3_000]) {
    const ids = new Map(Array.from({ length: count }, (_, n) => [`http://"${n}".example/__proto__`, [ID, ID]]));
    let [now, pauses] = [0, 0];
    const clock = { nowMs: () => now++, pause: () => Promise.resolve(void pauses++) };
    const parts = await trackersJson(ids, clock);
    t.same(JSON.parse(Buffer.concat(parts).toString()), Object.fromEntries(ids));
    t.ok(pauses >= Math.floor(count / 5), 'rests by the clock');
    if (count > 1_000) t.ok(parts.length > 2);
  }
});
