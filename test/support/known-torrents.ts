// The torrents of an engine as a front of a test knows them.
import type { StreamTransport } from '../../api/engine-client/stream-transport.js';
import type { EngineEvent } from '../../shared-protocol/events.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { emptyStats, StatsReader } from '../../shared-protocol/stats-table.js';

/** Facts and figures that were told, kept as the API keeps them. */
export class KnownTorrents {
  readonly torrents = new Map<TorrentId, { readonly row: number; readonly rowTag: number }>();
  readonly stats = new StatsReader();
  readonly returns: string[] = [];
  added = 0;

  constructor(readonly front: StreamTransport) {
    front.onEvent((event) => this.#take(event));
    front.onReturn((how) => this.returns.push(how));
  }

  peersOf(id: TorrentId): number | null {
    const facts = this.torrents.get(id);
    const stats = emptyStats();
    return facts && this.stats.read(facts.row, facts.rowTag, stats) ? stats.peers : null;
  }

  #take(event: EngineEvent): void {
    if (event.name === 'stats.table') this.stats.attach(event.payload);
    else if (event.name === 'torrent.removed') this.torrents.delete(event.payload.id);
    else if (event.name === 'torrents.added') {
      this.added += event.payload.torrents.length;
      for (const facts of event.payload.torrents) this.torrents.set(facts.id, facts);
    }
  }
}
