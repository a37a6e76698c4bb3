// A library of many torrents without an engine, for ticks and passes: facts and numbers as a busy service has them, spread over
// one administrator and some users. Seeded, so that each run has the same.
import { firstAdmin, type Account } from '../../api/auth/account.js';
import { Library } from '../../api/services/library/library.js';
import type { EngineClient } from '../../shared-protocol/commands.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { infoHashFromBytes, parseAccountId } from '../../shared-protocol/ids.js';
import { emptyStats, StatsWriter, TORRENT_FLAGS } from '../../shared-protocol/stats-table.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { GIB, madeFacts } from './made-facts.js';

/** A user sees what it owns and, as a viewer, the same share of what its neighbour owns. */
const USERS = 4;

export interface TickLibrary {
  readonly library: Library;
  /** The administrator first. */
  readonly accounts: readonly Account[];
  /** Gives so many torrents new numbers, as transfers do. */
  readonly change: (count: number) => void;
  /** Makes all of them seeds, from this unix time in seconds on, at a ratio of 1. */
  readonly seedAll: (since: number) => void;
}

export function openTickLibrary(torrents: number, random: SeededRandom): TickLibrary {
  // Nothing is asked of the engine.
  const library = new Library({ engine: { client: {} as EngineClient } });
  const writer = new StatsWriter((table) => library.handleEvent({ name: 'stats.table', payload: table }));
  const admin = firstAdmin(null, 0);
  const users = Array.from({ length: USERS }, (_, i): Account => ({
    ...admin,
    id: parseAccountId(i + 2),
    role: 'user',
  }));
  const accounts = [admin, ...users];
  const all = Array.from({ length: torrents }, (_, index) => factsOf(index, writer, accounts, random));
  library.handleEvent({ name: 'torrents.added', payload: { torrents: all } });
  const change = (count: number) => {
    for (let i = 0; i < count; i++) {
      const bytesDone = random.below(GIB);
      writer.write(random.below(torrents), {
        ...emptyStats(),
        peers: random.below(100),
        seeds: random.below(50),
        bytesDone,
        wantedBytes: GIB,
        wantedDone: bytesDone,
        downloadRate: random.below(10_000_000),
        uploadRate: random.below(10_000_000),
      });
    }
  };
  change(torrents);
  const seedAll = (seedingSince: number) => {
    for (const facts of all) {
      const record = { ...facts.library, seedingSince };
      library.handleEvent({ name: 'torrent.changed', payload: { facts: { ...facts, library: record } } });
      writer.write(facts.row, {
        ...emptyStats(),
        flags: TORRENT_FLAGS.completed,
        bytesDone: GIB,
        wantedDone: GIB,
        wantedBytes: GIB,
        totalUp: GIB,
      });
    }
  };
  return { library, accounts, change, seedAll };
}

function factsOf(index: number, writer: StatsWriter, accounts: readonly Account[], random: SeededRandom): TorrentFacts {
  const { row, tag } = writer.allocate();
  const neighbour = accounts[(index + 1) % accounts.length]!;
  return madeFacts({
    index,
    id: infoHashFromBytes(random.bytes(20)),
    row,
    rowTag: tag,
    trackerHost: 'tracker.example.org',
    ownerId: accounts[index % accounts.length]!.id,
    library: { shares: [{ accountId: neighbour.id, access: 'viewer' }] },
  });
}
