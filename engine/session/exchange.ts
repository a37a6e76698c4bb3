// Torrents go to other engines that share roots with this one, and come from them.
import type { CommandParams, CommandResult } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { because } from '../../shared-protocol/reasons.js';
import type { TorrentExchange, TorrentRow } from '../../storage/types.js';
import type { TorrentServices } from '../torrent/session-interface.js';
import type { Torrent } from '../torrent/torrent.js';
import { loadTorrents } from './load.js';
import type { Queue } from './queue.js';
import type { Torrents } from './torrents.js';

export interface ExchangeDeps {
  /** undefined: the engine shares no roots with others. */
  readonly exchange: TorrentExchange | undefined;
  readonly services: TorrentServices;
  readonly torrents: Torrents;
  readonly queue: Pick<Queue<Torrent>, 'nextKey'>;
  onAdded(torrents: readonly TorrentFacts[]): void;
  onLeaving(row: TorrentRow): void;
  onGiven(torrent: Torrent, engineId: string): void;
}

export class Exchange {
  constructor(private readonly deps: ExchangeDeps) {}

  /**
   * Hands the torrent over to another engine: it writes and announces nothing any more when that one may have it. One that
   * cannot go goes on here. @throws AppError `SAVE_PATH_INVALID`: it is on no shared root; `MOVE_CONFLICT`
   */
  async give(id: TorrentId, engineId: string): Promise<void> {
    const { torrents, services, onGiven } = this.deps;
    const torrent = torrents.find(id);
    const exchange = this.#exchange();
    const move = services.store.row(id)?.move;
    if (move && move.phase !== 'failed')
      throw new AppError('MOVE_CONFLICT', 'torrent: its files are being moved', because('MOVE_UNDER_WAY'));
    await torrent.end();
    torrents.dismiss(torrent);
    try {
      const resume = await torrent.syncedResume();
      if (resume) await services.store.putResume(new Map([[id, resume]]));
      await exchange.give(id, engineId);
    } catch (error) {
      await this.#enlist([id]);
      throw error;
    }
    onGiven(torrent, engineId);
  }

  /** Gives them one after another: each is away for as long as its own takes. Never rejects for one of them: the others go. */
  async giveAll({ ids, engineId }: CommandParams<'giveTorrents'>): Promise<CommandResult<'giveTorrents'>> {
    const failures: { id: TorrentId; message: string }[] = [];
    for (const id of ids) {
      await this.give(id, engineId).catch((error: unknown) => {
        failures.push({ id, message: error instanceof Error ? error.message : String(error) });
      });
    }
    return { given: ids.length - failures.length, failures };
  }

  /** Torrents that other engines had are here from now on. @throws AppError `ENGINE_FENCED` */
  async take(request: CommandParams<'takeTorrents'>): Promise<CommandResult<'takeTorrents'>> {
    const { services, queue } = this.deps;
    const { ids, left } = await this.#exchange().take(request);
    // A place in the queue is one among those of the engine before.
    await Promise.all(ids.map((id) => services.store.update(id, { queueKey: queue.nextKey() })));
    await this.#enlist(ids);
    return { taken: ids.length, left };
  }

  #exchange(): TorrentExchange {
    if (this.deps.exchange) return this.deps.exchange;
    throw new AppError('SAVE_PATH_INVALID', 'engine: it shares no roots with others (--shared-roots)');
  }

  /** Torrents that are in the store begin their work. */
  async #enlist(ids: readonly TorrentId[]): Promise<void> {
    const { services, torrents, onAdded, onLeaving } = this.deps;
    const here: Torrent[] = [];
    await loadTorrents({
      services,
      store: services.store,
      rows: ids.flatMap((id) => services.store.row(id) ?? []),
      admit: (torrent, queueKey) => {
        torrents.admit(torrent, queueKey);
        here.push(torrent);
      },
      onAdded,
      onLeaving,
    });
    await torrents.start(here, false);
  }
}
