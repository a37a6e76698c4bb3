// Where a torrent is, of the servers that an account sees, and where a new one goes: to the server with the most room, of
// those that have its category.
import type { TorrentId } from '../../../shared-protocol/ids.js';
import { categoryListSchema } from '../../../shared-protocol/dto/labels.js';
import { storageSchema } from '../../../shared-protocol/dto/storage.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { Account } from '../../auth/account.js';
import { RequestError } from '../../errors.js';
import type { ServerId, Servers } from './servers.js';

export interface ServerPlace {
  readonly server_id: ServerId;
  readonly server: string;
}

interface Candidate {
  readonly server: ServerId;
  readonly freeBytes: number;
}

export class ServerPlacement {
  constructor(private readonly servers: Servers) {}

  all(account: Account): ServerPlace[] {
    return this.servers.all(account).map((server) => this.placeOf(account, server));
  }

  /** Servers that have it, this one first; of one that is away as it was last. */
  async having(account: Account, infohash: TorrentId): Promise<ServerPlace[]> {
    const places: ServerPlace[] = [];
    for (const server of this.servers.all(account)) {
      if (await this.servers.has(account, server, infohash)) places.push(this.placeOf(account, server));
    }
    return places;
  }

  /**
   * The server with the most room where torrents go that do not say, of those that are there and have a category of that
   * name; of two with as much room this one, or the one that was set up first.
   * @throws RequestError `CONFLICT`: there is none
   */
  async roomiest(account: Account, category: string | null): Promise<ServerId> {
    let best: Candidate | null = null;
    for (const server of this.servers.all(account)) {
      const candidate = await this.#candidate(account, server, category);
      if (candidate && (!best || candidate.freeBytes > best.freeBytes)) best = candidate;
    }
    if (best) return best.server;
    throw new RequestError(
      'CONFLICT',
      `server_id: no server tells of room${category === null ? '' : ` and has the category ${category}`}`,
      because('NO_SERVER_WITH_ROOM'),
    );
  }

  placeOf(account: Account, server: ServerId): ServerPlace {
    return { server_id: server, server: this.servers.nameOf(account, server) };
  }

  async #candidate(account: Account, server: ServerId, category: string | null): Promise<Candidate | null> {
    const get = (path: string) => ({ method: 'GET', path });
    try {
      if (category !== null) {
        const known = await this.servers.ask(account, server, get('/api/categories'), categoryListSchema);
        if (known.kind !== 'value' || !known.value.some(({ name }) => name === category)) return null;
      }
      const storage = await this.servers.ask(account, server, get('/api/storage'), storageSchema);
      const volume = storage.kind === 'value' ? storage.value.volumes.find(({ is_default }) => is_default) : undefined;
      const freeBytes = volume?.free_bytes ?? null;
      return freeBytes === null ? null : { server, freeBytes };
    } catch (error) {
      // One that is away gets nothing now.
      if (error instanceof RequestError) return null;
      throw error;
    }
  }
}
