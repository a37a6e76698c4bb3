// This service and its remotes as the servers of moves. This one is asked by the same routes as the others, without a
// connection (`OwnRoutes`): an account may no more by a move than by its own requests.
import type { z } from 'zod';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { messageOf } from '../../../shared-protocol/errors.js';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import type { Account } from '../../auth/account.js';
import type { Egress } from '../../egress/egress.js';
import { RequestError } from '../../errors.js';
import type { Labels } from '../library/labels.js';
import type { Library } from '../library/library.js';
import { statsOfShare } from '../library/shares.js';
import { toSharedTorrentDto } from '../library/torrent-dto.js';
import { parseTorrentId } from '../library/torrent-id.js';
import type { RemoteAnswer, RemoteRequest, Said } from '../remotes/ask-remote.js';
import type { Remotes } from '../remotes/remotes.js';
import type { ServerId, Servers } from './servers.js';

/** The table of routes, asked without a connection. */
export interface OwnRoutes {
  /** The status, and what would be the body. Rejects for what is nobody's fault who asks. */
  ask(account: Account, request: RemoteRequest): Promise<{ readonly status: number; readonly body: unknown }>;
}

export interface KnownServersDeps {
  readonly own: OwnRoutes;
  readonly remotes: Pick<Remotes, 'ask' | 'file' | 'torrent' | 'knows' | 'seenBy' | 'placeOf'>;
  readonly library: Pick<Library, 'find' | 'accessOf' | 'shownTo' | 'stats'>;
  readonly labels: Pick<Labels, 'category' | 'tag'>;
  readonly egress: Pick<Egress, 'addressesOf'>;
}

export class KnownServers implements Servers {
  constructor(private readonly deps: KnownServersDeps) {}

  async ask<Value>(
    account: Account,
    server: ServerId,
    request: RemoteRequest,
    schema: z.ZodType<Value>,
  ): Promise<RemoteAnswer<Value>> {
    if (server !== null) return this.deps.remotes.ask(account, server, request, schema);
    const { status, body } = await this.deps.own.ask(account, request);
    return status === 200 ? { kind: 'value', value: schema.parse(body) } : refused(status, body);
  }

  async file(account: Account, server: ServerId, request: RemoteRequest): Promise<RemoteAnswer<Uint8Array>> {
    if (server !== null) return this.deps.remotes.file(account, server, request);
    const { status, body } = await this.deps.own.ask(account, request);
    return body instanceof Uint8Array ? { kind: 'value', value: body } : refused(status, body);
  }

  async torrent(account: Account, server: ServerId, infohash: string): Promise<TorrentDto | null> {
    const { remotes, library, labels } = this.deps;
    if (server !== null) return remotes.torrent(account, server, infohash);
    const parsed = parseTorrentId(infohash);
    const whole = parsed.kind === 'id' ? library.find(parsed.id) : undefined;
    const access = whole ? library.accessOf(account, whole) : null;
    if (!whole || !access) return null;
    const shown = library.shownTo(account, whole);
    const stats = emptyStats();
    // While its row is another's it is about to go.
    if (!library.stats.read(shown.row, shown.rowTag, stats)) return null;
    return { ...toSharedTorrentDto(shown, statsOfShare(stats, shown), labels, access), access };
  }

  async addresses(account: Account, server: ServerId): Promise<readonly string[]> {
    if (server === null) return [];
    const { remotes, egress } = this.deps;
    const { name, url } = remotes.placeOf(account, server);
    return egress.addressesOf(url, account.id).catch((error: unknown) => {
      throw new RequestError('REMOTE_AWAY', `server ${name}: ${messageOf(error)}`);
    });
  }

  all(account: Account): readonly ServerId[] {
    return [null, ...this.deps.remotes.seenBy(account)];
  }

  async has(account: Account, server: ServerId, infohash: string): Promise<boolean> {
    if (server !== null) return this.deps.remotes.knows(account, server, infohash);
    return (await this.torrent(account, null, infohash)) !== null;
  }

  nameOf(account: Account, server: ServerId): string {
    return server === null ? 'this server' : this.deps.remotes.placeOf(account, server).name;
  }
}

function refused(
  status: number,
  body: unknown,
): { readonly kind: 'refused'; readonly status: number; readonly said: Said } {
  return { kind: 'refused', status, said: body as Said }; // as errors.ts makes it
}
