// What happens to torrents, told to webhooks and to the owner's program. Owns: loading tells of nothing that is new to
// this process alone, neither at the start nor when the engine begins again.
import type { EngineEvent } from '../../../shared-protocol/events.js';
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
  readonly webhooks: Pick<Webhooks, 'tell' | 'isSilent'>;
  readonly deliveries: Pick<Deliveries, 'start' | 'stop'>;
  /** null: the machine's owner has named none. */
  readonly program: Pick<HookProgram, 'run' | 'stop'> | null;
}

export class Hooks implements BackgroundService {
  /** An engine has named all it has, and has not gone since. */
  #isLoaded = false;

  constructor(private readonly deps: HooksDeps) {}

  start(): void {
    this.deps.deliveries.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.deps.deliveries.stop(), this.deps.program?.stop()]);
  }

  /** Before the first event of an engine that loads, and after the last. */
  loading(phase: 'begin' | 'end'): void {
    this.#isLoaded = phase === 'end';
  }

  /** Lets the library take in the event, and tells what it means. */
  handleEvent(event: EngineEvent): void {
    const { library, webhooks, program } = this.deps;
    const ids = program || !webhooks.isSilent ? torrentsOf(event) : [];
    const before = new Map(ids.map((id) => [id, library.find(id)]));
    library.handleEvent(event);
    for (const [id, old] of before) this.#tell(old, library.find(id));
  }

  #tell(before: ListedTorrent | undefined, after: ListedTorrent | undefined): void {
    if (!before && !this.#isLoaded) return;
    const { webhooks, program } = this.deps;
    const all = eventsBetween(before, after);
    let byAccount: Map<AccountId, TorrentEvent[]> | undefined;
    webhooks.tell(({ id, role }: Account) => {
      if (role === 'admin') return all;
      return (byAccount ??= eventsByAccount(before, after)).get(id) ?? [];
    });
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
    case 'stats.table':
    case 'log':
      return [];
  }
}
