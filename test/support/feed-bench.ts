// Feeds, filters and their poller over a memory engine, in virtual time: what a service is between start and stop, and what
// outlives it, so that a restart is another bench on the same remains.
import { RequestError } from '../../api/errors.js';
import type { Account } from '../../api/auth/account.js';
import type { PlacementWish } from '../../api/engines/placement/candidates.js';
import { Adding, type AddingDeps } from '../../api/services/library/adding.js';
import { Labels, labelsSchema, NO_LABELS, type LabelsData } from '../../api/services/library/labels.js';
import { Library } from '../../api/services/library/library.js';
import { LargeTorrentFiles } from '../../api/services/library/large-torrent-files.js';
import { Quotas } from '../../api/services/library/quotas.js';
import { AutoAdd } from '../../api/services/rss/auto-add.js';
import { FeedPoller } from '../../api/services/rss/feed-poller.js';
import { Feeds, feedsSchema, NO_FEEDS, type FeedsData } from '../../api/services/rss/feeds.js';
import { Filters } from '../../api/services/rss/filters.js';
import { SavePaths } from '../../api/services/settings/save-paths.js';
import { defaultSettings, type SettingsData } from '../../api/services/settings/settings-data.js';
import type { EngineClient } from '../../shared-protocol/commands.js';
import type { EngineOptions } from '../../shared-protocol/commands/engine-options.js';
import { NO_QUOTA } from '../../shared-protocol/dto/accounts.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { parseAccountId, parseInfoHash } from '../../shared-protocol/ids.js';
import { createInProcessTransport } from './in-process-transport.js';
import { createMemoryFeedMemory } from './memory-feed-memory.js';
import type { FeedMemory } from '../../storage/types.js';
import { FeedServer } from './feed-server.js';
import { MemoryCollection } from './memory-collection.js';
import { MemoryEngine } from './memory-engine.js';
import { SeededRandom } from './seeded-random.js';
import { VirtualClock } from './virtual-clock.js';
import { localFolders } from '../../storage/local-folders.js';
import { oneEngine } from '../../api/engines/one-engine.js';
import { UNBOUNDED_UPLOADS } from './unbounded-uploads.js';

const STEP_MS = 10_000;
export const SAVE_PATH = '/srv/files';

export function magnetOf(n: number): string {
  return `magnet:?xt=urn:btih:${idOf(n)}&dn=${n}`;
}

export const idOf = (n: number) => parseInfoHash(n.toString(16).padStart(40, '0'));

export function account(id: number, change: Partial<Account> = {}): Account {
  return {
    id: parseAccountId(id),
    username: `u${id}`,
    role: id === 1 ? 'admin' : 'user',
    ...{ perm_add_torrents: true, perm_manage_rss: true, perm_manage_cat_tags: false },
    ...{ perm_change_settings: false, perm_share: false },
    ...{
      password_hash: null,
      api_key_digest: null,
      api_key_hint: '',
      disabled: false,
      home: '',
      engine: '',
      created_at: 0,
    },
    quota: NO_QUOTA,
    ...change,
  };
}

/** What outlives the process. */
export interface Remains {
  readonly clock: VirtualClock;
  readonly server: FeedServer;
  readonly engine: MemoryEngine;
  readonly collection: MemoryCollection<FeedsData>;
  readonly labelsCollection: MemoryCollection<LabelsData>;
  memory: FeedMemory;
  accounts: Account[];
}

export interface FeedBench extends Remains {
  readonly poller: FeedPoller;
  readonly feeds: Feeds;
  readonly filters: Filters;
  readonly labels: Labels;
  /** The word of each torrent where an engine is chosen for it. */
  readonly wishes: readonly PlacementWish[];
  readonly library: Library;
  readonly client: EngineClient;
  /** Everything that was logged, as `level: message`, with its fields. */
  readonly lines: string[];
  /** What accounts were told: `added <feed> <account> <number>` or `failing <feed>: <reason>`. */
  readonly told: string[];
  /** Time goes by, with everything that falls due brought to its end. */
  pass(ms: number): Promise<void>;
  /** By number ({@link idOf}), in the order in which they were added. */
  added(): number[];
  facts(n: number): TorrentFacts | undefined;
  /** A feed of account 1 and a filter that lets all through. */
  makeFeed(
    url: string,
    options?: { readonly by?: number; readonly interval?: number; regex?: string },
  ): Promise<number>;
  stop(): Promise<void>;
}

export async function startFeedBench(given: Partial<Remains> = {}, seed = 1): Promise<FeedBench> {
  const clock = given.clock ?? new VirtualClock();
  const remains: Remains = {
    clock,
    server: given.server ?? new FeedServer(clock),
    engine: given.engine ?? new MemoryEngine(),
    collection: given.collection ?? new MemoryCollection(NO_FEEDS, (data) => feedsSchema.parse(data)),
    labelsCollection: given.labelsCollection ?? new MemoryCollection(NO_LABELS, (data) => labelsSchema.parse(data)),
    memory: given.memory ?? createMemoryFeedMemory(),
    accounts: given.accounts ?? [account(1), account(2), account(3)],
  };
  const { server, engine, collection } = remains;
  const transport = createInProcessTransport(engine.handlers);
  const { client } = transport;
  const library = new Library({ engine: { client } });
  transport.onEvent((event) => library.handleEvent(event));
  await client.start({ peerPort: 1 } as EngineOptions);

  const labels = new Labels({ collection: remains.labelsCollection });
  const settings = {
    savePath: SAVE_PATH,
    adding: { ...defaultSettings(SAVE_PATH).adding, pinned: [] },
    stored: <Group extends keyof SettingsData>(group: Group) => defaultSettings(SAVE_PATH)[group],
    store: () => Promise.reject(new Error('nothing is stored')),
  };
  const savePaths = new SavePaths(
    { settings, labels, engines: oneEngine(localFolders) },
    { allowedPaths: [], dataDir: '/srv/data', backupDir: '/srv/backups' },
  );
  const accounts = { find: (id: number) => remains.accounts.find((each) => each.id === id) };
  const egress = { fetch: server.fetch, check: async () => undefined };
  const running = { hasRoom: () => true };
  const place = (owner: Account) => ({ account: owner, on: null, hasInherited: true });
  const wishes: PlacementWish[] = [];
  const placement: AddingDeps['placement'] = {
    look: place,
    within(owner, wish, add) {
      wishes.push(wish);
      return add(place(owner));
    },
  };
  const adding = new Adding({
    ...{ engine: { client }, library, labels, savePaths, egress, defaults: { inForce: settings.adding } },
    ...{ quotas: new Quotas({ library, uploads: UNBOUNDED_UPLOADS }), running, placement },
    largeFiles: new LargeTorrentFiles(),
  });
  const autoAdd = new AutoAdd({ adding, egress, labels, library, savePaths });
  const lines: string[] = [];
  const note = (level: string) => (message: string, fields?: object) =>
    void lines.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const told: string[] = [];
  const chance = new SeededRandom(seed);
  const random = () => chance.below(2 ** 31) / 2 ** 31;
  const poller = new FeedPoller({
    ...{ collection, egress, autoAdd, accounts, clock, log, random },
    memory: remains.memory,
    onAdded: (feed, owner, torrent) => void told.push(`added ${feed.id} ${owner} ${Number.parseInt(torrent, 16)}`),
    onFailing: ({ id }, reason) => void told.push(`failing ${id}: ${reason}`),
  });
  const feeds = new Feeds({ collection, memory: remains.memory, poller, egress });
  const filters = new Filters({ collection, poller, labels, savePaths });
  poller.start();

  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await clock.advance(Math.min(left, STEP_MS));
      await poller.idle();
    }
  };
  return Object.assign(remains, {
    ...{ poller, feeds, filters, labels, library, wishes, client, lines, told, pass },
    added: () => engine.ids.map((id) => Number.parseInt(id, 16)),
    facts: (n: number) => library.find(idOf(n)),
    makeFeed: async (
      url: string,
      { by = 1, interval = 0, regex = '' }: { by?: number; interval?: number; regex?: string } = {},
    ) => {
      const creator = accounts.find(by);
      if (!creator) throw new RequestError('NOT_FOUND', `account ${by}`);
      const id = await feeds.create(creator, { url, interval_min: interval });
      await filters.create(creator, { feed_id: id, regex });
      return id;
    },
    stop: async () => {
      await poller.stop();
      await transport.close(0);
    },
  });
}
