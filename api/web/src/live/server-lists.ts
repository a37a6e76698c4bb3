// The lists of other servers: what is different between what the page has of them and what a frame tells. Their torrents
// are rows of their own, and their labels have numbers that no label of here has. Pure.
import type { RemoteState } from '../../../../shared-protocol/dto/remotes.js';
import type { TorrentDto } from '../../../../shared-protocol/dto/torrents.js';
import { labelIdThere } from '../state/label-there.js';
import { rowIdOf } from '../state/row-id.js';
import { TorrentDiff } from './diff.js';
import type { ServerStanding, TorrentChanges } from './messages.js';

/** Element of the payload of `servers:tick`. */
export interface ServerTick {
  readonly server_id: number;
  readonly state: RemoteState;
  readonly full: boolean;
  readonly upsert: readonly TorrentDto[];
  readonly removed: readonly string[];
}

export interface ServerNews {
  readonly changes: TorrentChanges;
  /** null: as they were. */
  readonly standings: readonly ServerStanding[] | null;
}

/** Figures come each second, and before the first of them servers are told of once. */
const TOLD_WITHIN_FIGURES = 3;

export class ServerLists {
  readonly #lists = new Map<number, TorrentDiff>();
  #standings = '[]';
  /** How often figures have come on this connection before anything of servers; Infinity: something has. */
  #figures = Infinity;

  /** Another connection: it may be that of an account that sees none any more, and then nothing is told of them. */
  opened(): void {
    this.#figures = 0;
  }

  /** The news that there are none any more; null: it may still be told of them. */
  figures(): ServerNews | null {
    return ++this.#figures === TOLD_WITHIN_FIGURES && this.#lists.size > 0 ? this.next([]) : null;
  }

  next(ticks: readonly ServerTick[]): ServerNews {
    this.#figures = Infinity;
    const all = ticks.map((tick) => this.#changesOf(tick));
    for (const [server, list] of this.#lists) {
      if (ticks.some(({ server_id }) => server_id === server)) continue;
      all.push(list.next([]));
      this.#lists.delete(server);
    }
    const standings = ticks.map(({ server_id, state }) => ({ server_id, state }));
    const written = JSON.stringify(standings);
    const isSame = written === this.#standings;
    this.#standings = written;
    return {
      changes: {
        added: all.flatMap(({ added }) => added),
        patches: all.flatMap(({ patches }) => patches),
        removed: all.flatMap(({ removed }) => removed),
      },
      standings: isSame ? null : standings,
    };
  }

  #changesOf({ server_id: server, full, upsert, removed }: ServerTick): TorrentChanges {
    let list = this.#lists.get(server);
    if (!list) this.#lists.set(server, (list = new TorrentDiff()));
    const rows = upsert.map((torrent) => rowOf(torrent, server));
    return full ? list.next(rows) : list.apply({ upsert: rows, removed: removed.map((id) => rowIdOf(id, server)) });
  }
}

function rowOf(torrent: TorrentDto, server: number): TorrentDto {
  const { id, category_id: category, tags } = torrent;
  return {
    ...torrent,
    id: rowIdOf(id, server),
    category_id: category === null ? null : labelIdThere(server, category),
    tags: tags.map((tag) => ({ ...tag, id: labelIdThere(server, tag.id) })),
  };
}
