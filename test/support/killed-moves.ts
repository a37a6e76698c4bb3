// Moves during which one of the three is killed, in some states: each ends in order, and the data are at least once, byte for
// byte. MOVE_MIB makes the torrent larger than it has to be.
import type { Test } from 'tap';
import type { ServerMoveState } from '../../shared-protocol/dto/server-moves.js';
import { beginMove, hasAll, seedAt, startThree, untilMove } from './moved-torrent.js';
import { MIB } from './peers/payload.js';

const BYTES = Number(process.env['MOVE_MIB'] ?? 6) * MIB;
const VICTIMS = ['front', 'one', 'two'] as const;

export async function survivesKills(t: Test, states: readonly ServerMoveState[], firstSeed: number): Promise<void> {
  const { servers, tracker, one, two } = await startThree(t);
  const { front } = servers;
  let seed = firstSeed;
  let [from, to] = [one, two];
  for (const state of states) {
    for (const victim of VICTIMS) {
      const name = `${victim} while ${state}`;
      const [source, target] = from === one ? [servers.one, servers.two] : [servers.two, servers.one];
      const payload = await seedAt(source, tracker.announceUrl, BYTES, seed++);
      const { infoHash: infohash } = payload;
      if (state === 'copying') {
        const limits = { down_kbps: 0, up_kbps: Math.max(1_024, BYTES / 1_024 / 8) };
        await source.daemon.api('PUT', `/api/torrents/${infohash}/rate_limits`, limits);
      }
      const id = await beginMove(front, payload, { from, to });
      await untilMove(
        () => front.daemon,
        id,
        name,
        (move) => move.state === state && (state !== 'copying' || move.bytes_done > 0),
      );
      await servers[victim].killed();
      const end = await untilMove(
        () => front.daemon,
        id,
        `${name}: its end`,
        ({ state: at }) => at === 'done' || at === 'failed',
      );
      t.equal(end.state, 'done', `${name}: ${end.reason ?? ''}`);
      t.ok(await hasAll(target, payload), `${name}: the data are there`);
      t.match(await target.daemon.torrent(infohash), { completed: true, paused: false });
      t.notOk(
        (await source.daemon.torrents()).some((torrent) => torrent.id === infohash),
        'and only there',
      );
      [from, to] = [to, from];
    }
  }
}
