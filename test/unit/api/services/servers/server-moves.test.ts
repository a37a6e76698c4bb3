// The turns of moves: one after another, whatever is asked for meanwhile, and what was ended by hand ends so.
import t from 'tap';
import type { Account } from '../../../../../api/auth/account.js';
import { ServerMoves } from '../../../../../api/services/servers/server-moves.js';
import {
  NO_SERVER_MOVES,
  serverMovesSchema,
  type StoredMove,
} from '../../../../../api/services/servers/move-records.js';
import type { ServerId, Servers } from '../../../../../api/services/servers/servers.js';
import type { TorrentDto } from '../../../../../shared-protocol/dto/torrents.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const [SOURCE, TARGET] = [1, 2];
const ANN = parseAccountId(1);
const TURN_MS = 2_000;
const WHOLE = { ...{ completed: true, verifying: false, files_missing: false }, total_bytes: 10, bytes_done: 10 };

const moved = (id: number, fields: Partial<StoredMove> = {}): StoredMove => ({
  ...{ id, user_id: ANN, infohash: String(id).repeat(40), name: 'a', from: SOURCE, to: TARGET, delete_data: true },
  ...{ save_path: '', politeness: 'one_location', state: 'copying', reason: null, bytes_done: 0, bytes_total: 10 },
  ...{ started_at: 1, ended_at: 0, existed: false, was_paused: false, tiers: [], progressed_at: 1, announced_at: 0 },
  ...{ giving_up: null, ...fields },
});

/** Servers that are asked by a test, and answer when it lets them. */
class SlowServers implements Servers {
  readonly asked: string[] = [];
  /** Answers that are waited for. */
  readonly #waiting: (() => void)[] = [];
  isSlow = true;

  async torrent(_account: Account, server: ServerId): Promise<TorrentDto | null> {
    await this.#turn(`look at ${server}`);
    return { ...WHOLE, paused: false } as TorrentDto;
  }

  async ask(_account: Account, server: ServerId, { method, path }: { method: string; path: string }) {
    await this.#turn(`${method} ${server} ${path.replace(/^.*?([^/]*)$/, '$1')}`);
    return method === 'DELETE'
      ? { kind: 'value' as const, value: { ok: true } as never }
      : { kind: 'refused' as const, status: 403, said: { error: 'forbidden' } };
  }

  file = () => Promise.reject(new Error('not asked'));
  addresses = () => Promise.resolve([]);
  nameOf = () => 'one';
  all = () => [];
  has = () => Promise.resolve(false);

  /** From now on they answer at once. */
  letGo(): void {
    this.isSlow = false;
    for (const answer of this.#waiting.splice(0)) answer();
  }

  async #turn(what: string): Promise<void> {
    this.asked.push(what);
    if (this.isSlow) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

async function start(...moves: readonly StoredMove[]) {
  const collection = new MemoryCollection(NO_SERVER_MOVES, (data) => serverMovesSchema.parse(data));
  await collection.update((data) => void data.moves.push(...moves));
  const [servers, clock] = [new SlowServers(), new VirtualClock()];
  const accountOf = () => ({ id: ANN }) as Account;
  const service = new ServerMoves({ collection, servers, clock, accountOf, log: SILENT_LOG });
  service.start();
  await clock.advance(TURN_MS);
  return { collection, servers, clock, service };
}

void t.test('a turn begins when the one before has ended, and stopping waits for it', async (t) => {
  const { collection, servers, clock, service } = await start(moved(1), moved(2));
  t.same(servers.asked, ['look at 2'], 'the first step of the first');
  await service.end(ANN, 2);
  await collection.updateElsewhere(() => undefined);
  await clock.advance(TURN_MS * 3);
  t.same(servers.asked, ['look at 2'], 'no other, whoever wakes it');
  let hasStopped = false;
  const stopping = service.stop().then(() => (hasStopped = true));
  await clock.settle();
  t.notOk(hasStopped);
  servers.letGo();
  await stopping;
  await clock.advance(TURN_MS * 3);
  t.same(servers.asked, ['look at 2', 'look at 1'], 'the step is taken to its end, and none comes after it');
  t.equal(clock.pendingTimers, 0);
});

void t.test('a move that is ended by hand while a step of it is refused takes its copy along', async (t) => {
  const { collection, servers, clock, service } = await start(moved(1, { state: 'verifying' }));
  t.teardown(() => service.stop());
  await service.end(ANN, 1);
  servers.letGo();
  await clock.advance(TURN_MS * 3);
  t.match(collection.data.moves, [{ state: 'failed', reason: 'ended by hand' }]);
  t.ok(
    servers.asked.some((what) => what.startsWith(`DELETE ${TARGET}`)),
    servers.asked.join(', '),
  );
});
