// What happens to torrents, told to accounts, to webhooks and to the owner's program. Owns: loading tells of nothing that is new to
// this process alone, neither at the start nor when the engine begins again; of several fronts the one that leads tells.
import type { EngineEvent, FilesLeft } from '../../../shared-protocol/events.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import type { Account } from '../../auth/account.js';
import type { BackgroundService } from '../background-service.js';
import type { Library } from '../library/library.js';
import type { ListedTorrent } from '../library/shares.js';
import type { Deliveries } from './deliveries.js';
import type { HookProgram } from './hook-program.js';
import { eventsBetween, eventsByAccount, type TorrentEvent } from './torrent-events.js';
import type { Webhooks } from './webhooks.js';

export interface HooksDeps {
  readonly library: Pick<Library, 'find' | 'handleEvent'>;
  readonly webhooks: Pick<Webhooks, 'tell'>;
  readonly deliveries: Pick<Deliveries, 'start' | 'stop'>;
  /** An account, on its own torrents and those shared with it. */
  readonly tellAccount: (id: AccountId, events: readonly TorrentEvent[]) => void;
  /** null: the machine's owner has named none. */
  readonly program: Pick<HookProgram, 'start' | 'run' | 'stop'> | null;
  /** Tells the owner. */
  readonly tellOfFilesLeft: (left: FilesLeft) => void;
  /** Whether this front does what may be done only once. */
  readonly leads: () => boolean;
}

export class Hooks implements BackgroundService {
  constructor(private readonly deps: HooksDeps) {}

  start(): void {
    this.deps.deliveries.start();
    this.deps.program?.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.deps.deliveries.stop(), this.deps.program?.stop()]);
  }

  /** Lets the library take in the event, and tells what it means. `isLoading`: the engine is telling all it has. */
  handleEvent(event: EngineEvent, isLoading: boolean): void {
    const { library, leads } = this.deps;
    if (!leads()) return library.handleEvent(event);
    if (event.name === 'files.left') return this.deps.tellOfFilesLeft(event.payload);
    const before = new Map(torrentsOf(event).map((id) => [id, library.find(id)]));
    library.handleEvent(event);
    for (const [id, old] of before) this.#tell(old, library.find(id), isLoading);
  }

  #tell(before: ListedTorrent | undefined, after: ListedTorrent | undefined, isLoading: boolean): void {
    if (!before && isLoading) return;
    const { webhooks, program, tellAccount } = this.deps;
    const all = eventsBetween(before, after);
    const byAccount = eventsByAccount(before, after);
    webhooks.tell(({ id, role }: Account) => (role === 'admin' ? all : (byAccount.get(id) ?? [])));
    for (const [id, events] of byAccount) tellAccount(id, events);
    for (const each of all) program?.run(each);
  }
}

function torrentsOf(event: EngineEvent): TorrentId[] {
  switch (event.name) {
    case 'torrents.added':
      return event.payload.torrents.map(({ id }) => id);
    case 'torrent.changed':
      return [event.payload.facts.id];
    case 'torrent.removed':
      return [event.payload.id];
    case 'files.left':
    case 'stats.table':
    case 'lease.wanted':
    case 'log':
      return [];
  }
}
