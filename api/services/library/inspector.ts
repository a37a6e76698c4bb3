// The torrent that an account looks at in detail, one for each account (docs/semantics.md section 7), and the frame
// that shows it; and the same details for whoever asks once. Owns: a focus is on a torrent that exists and that the account
// may see; of an account's frames at most one is being made at a time, and of what it asks for at most one.
import { isDeepStrictEqual } from 'node:util';
import type { DetailPart } from '../../../shared-protocol/commands/details.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { EngineEvent } from '../../../shared-protocol/events.js';
import type { AccountId, TorrentId } from '../../../shared-protocol/ids.js';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import { notFound, RequestError } from '../../errors.js';
import type { Log } from '../../logging.js';
import { parseTorrentId } from './torrent-id.js';
import type { Account } from '../../auth/account.js';
import type { Engines } from '../../engines/engines.js';
import type { Countries } from './countries.js';
import { AccountTurns } from './account-turns.js';
import { FileListJson } from './file-list-json.js';
import type { LargeListTurns } from './large-list-turns.js';
import { toDetailDto } from './inspector-dto.js';
import type { Library } from './library.js';
import { refOf, statsOfShare } from './shares.js';

/** By the tab that shows them. */
const PARTS: Readonly<Record<string, readonly DetailPart[]>> = {
  overview: ['metainfo', 'waste'],
  files: ['files'],
  peers: ['peers'],
  trackers: ['trackers', 'webSeeds'],
};
const UNKNOWN_COUNTRIES: Countries = { of: () => '' };

/** Large file lists of all accounts are read one after the other: who asks for many waits by itself. */
const ASKED = { slots: 64, slotsPerAccount: 1, waitingPerAccount: 8 };

interface Focus {
  readonly id: TorrentId;
  readonly parts: readonly DetailPart[];
}

export interface InspectorDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'inspectTorrent'> };
  readonly library: Pick<Library, 'find' | 'accessOf' | 'shownTo' | 'stats'>;
  readonly engines: Pick<Engines, 'names' | 'nameOf'>;
  readonly largeLists: Pick<LargeListTurns, 'begin'>;
  /** Reads the database at the first call; never rejects. */
  readonly openCountries: () => Promise<Countries>;
  readonly log: Pick<Log, 'debug'>;
}

export class Inspector {
  readonly #focuses = new Map<AccountId, Focus>();
  /** Accounts for which the engine has been asked and has not answered yet. */
  readonly #asking = new Set<AccountId>();
  readonly #fileLists: FileListJson;
  readonly #asked = new AccountTurns(ASKED);

  constructor(private readonly deps: InspectorDeps) {
    this.#fileLists = new FileListJson((params) => this.deps.engine.client.inspectTorrent(params), deps.largeLists);
  }

  /**
   * In place of what the account looked at before; an empty id is `clear`. Tabs of other names say nothing.
   * @throws RequestError `FORBIDDEN`, `BODY_INVALID`, `NOT_FOUND`
   */
  focus(account: Account, id: string, tabs: readonly string[]): void {
    if (id === '') return this.clear(account);
    this.#focuses.set(account.id, { id: this.#findVisible(account, id), parts: partsOf(tabs) });
  }

  /**
   * DetailDTO as JSON, in parts, of a torrent that the account may see. Tabs of other names say nothing; null: all there are.
   * @throws RequestError `TOO_MANY_REQUESTS`, `NOT_FOUND`; as the engine
   */
  async details(account: Account, id: TorrentId, tabs: readonly string[] | null): Promise<readonly Buffer[]> {
    const parts = partsOf(tabs ?? Object.keys(PARTS));
    const details = await this.#asked.run(account.id, () => this.#read(account, { id, parts }, '', ''));
    if (!details) throw notFound('torrent');
    return details;
  }

  clear({ id }: Account): void {
    this.#focuses.delete(id);
  }

  /** The account has been deleted. */
  forget(accountId: AccountId): void {
    this.#focuses.delete(accountId);
  }

  handleEvent(event: EngineEvent): void {
    if (event.name !== 'torrent.removed') return;
    this.#fileLists.forget(event.payload.id);
    for (const [accountId, { id }] of this.#focuses) if (id === event.payload.id) this.#focuses.delete(accountId);
  }

  /**
   * `inspector:tick` as things are now, in parts; those of files are the same bytes as before where nothing has changed.
   * null without a focus, or while the engine is away or slow. Never rejects.
   */
  async tick(account: Account): Promise<readonly Buffer[] | null> {
    const focus = this.#focusOf(account);
    if (!focus || this.#asking.has(account.id)) return null;
    this.#asking.add(account.id);
    try {
      const frame = await this.#read(account, focus, '{"type":"inspector:tick","payload":', '}');
      // It may have been moved or cleared meanwhile, and then nothing of the old one may follow.
      return this.#focusOf(account) === focus ? frame : null;
    } catch (error) {
      this.deps.log.debug('inspector tick left out', { torrent: focus.id, reason: String(error) });
      return null;
    } finally {
      this.#asking.delete(account.id);
    }
  }

  /** The details between two texts; null: the account is not shown the torrent, or not this share of it, any more. */
  async #read(account: Account, focus: Focus, before: string, after: string): Promise<readonly Buffer[] | null> {
    const { library } = this.deps;
    const asked = this.#shareOf(account, focus);
    const [{ details, files }, countries] = await Promise.all([
      this.#fileLists.details(asked, { parts: focus.parts }),
      // The first answer with peers waits for the database, so that none shows peers of no country that have one.
      focus.parts.includes('peers') ? this.deps.openCountries() : UNKNOWN_COUNTRIES,
    ]);
    const torrent = isDeepStrictEqual(this.#shareOf(account, focus), asked) ? library.find(focus.id) : undefined;
    const access = torrent ? library.accessOf(account, torrent) : null;
    const read = emptyStats();
    if (!torrent || !access || !library.stats.read(torrent.row, torrent.rowTag, read)) return null;
    const facts = library.shownTo(account, torrent);
    const stats = statsOfShare(read, facts);
    const json = JSON.stringify(
      toDetailDto({ facts, access, stats, details, countries, engine: this.#engineOf(account, focus) }),
    );
    if (!files) return [Buffer.from(before + json + after)];
    // Among its fields, behind the others.
    return [Buffer.from(`${before}${json.slice(0, -1)},"files":[`), ...files, Buffer.from(`]}${after}`)];
  }

  /** The engine that it is on, which administrators are told where there are several. */
  #engineOf({ role }: Account, { id }: Focus): string {
    const { engines } = this.deps;
    return role === 'admin' && engines.names.length > 1 ? engines.nameOf(id) : '';
  }

  /** Returns what the account is shown: all, to administrators and where no other account holds the torrent. */
  #shareOf(account: Account, { id }: Focus): ShareRef {
    const torrent = this.deps.library.find(id);
    return account.role === 'admin' || !torrent?.holders ? { id } : refOf(this.deps.library.shownTo(account, torrent));
  }

  /** A torrent that has gone, or that the account may not see any more, is not looked at any more. */
  #focusOf(account: Account): Focus | null {
    const focus = this.#focuses.get(account.id);
    if (!focus) return null;
    const facts = this.deps.library.find(focus.id);
    if (facts && this.deps.library.accessOf(account, facts) !== null) return focus;
    this.#focuses.delete(account.id);
    return null;
  }

  /** Others than administrators learn nothing about torrents they cannot see (as in routes/authorize.ts). */
  #findVisible(account: Account, id: string): TorrentId {
    const { library } = this.deps;
    const parsed = parseTorrentId(id);
    const facts = parsed.kind === 'id' ? library.find(parsed.id) : undefined;
    if (facts && library.accessOf(account, facts) !== null) return facts.id;
    if (account.role !== 'admin') throw new RequestError('FORBIDDEN');
    if (parsed.kind !== 'malformed') throw notFound('torrent');
    throw new RequestError('BODY_INVALID', 'id: expected an info hash of 40 or 64 hexadecimal digits');
  }
}

function partsOf(tabs: readonly string[]): readonly DetailPart[] {
  return Object.entries(PARTS).flatMap(([tab, parts]) => (tabs.includes(tab) ? parts : []));
}
