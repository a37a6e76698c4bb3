// Rules at work over an engine in memory, without a daemon. Fronts of one bench have their stores and their engine in common;
// time passes by hand.
import { firstAdmin, type Account } from '../../api/auth/account.js';
import { AutomationRuns } from '../../api/services/automations/automation-runs.js';
import { Automations, automationsSchema, NO_AUTOMATIONS } from '../../api/services/automations/automations.js';
import { automationHistorySchema, NO_AUTOMATION_HISTORY, RunHistory } from '../../api/services/automations/history.js';
import { automationMemorySchema, Memory, NO_AUTOMATION_MEMORY } from '../../api/services/automations/memory.js';
import { Previews } from '../../api/services/automations/preview.js';
import { Library } from '../../api/services/library/library.js';
import { AppError } from '../../shared-protocol/errors.js';
import { newAutomationSchema, type AutomationFields } from '../../shared-protocol/dto/automations.js';
import { parseInfoHash, type TorrentId } from '../../shared-protocol/ids.js';
import { createInProcessTransport } from './in-process-transport.js';
import { TORRENT_FLAGS } from '../../shared-protocol/stats-table.js';
import { SILENT_LOG } from './api-harness.js';
import { TEST_ENGINE_OPTIONS } from './engine-options.js';
import { MemoryCollection } from './memory-collection.js';
import { MemoryEngine } from './memory-engine.js';

const DAY_S = 86_400;
const LABELS = { category: () => undefined, tag: () => undefined, revision: 0 };

export class RulesBench {
  readonly account: Account = firstAdmin('', 0);
  readonly library: Library;
  now = 1_700_000_000;
  /** By how much the wall clock has been set. */
  setBy = 0;
  isAccountOff = false;
  /** Whether what rules remember cannot be written. */
  isStoreBroken = false;
  /** Acts that were asked for, in order: the first digit of the torrent, and what. */
  readonly acts: string[] = [];
  /** Called with each act before it is done; what it throws is the act's failure. */
  onAct: (act: string) => Promise<void> | void = () => undefined;
  readonly #engine = new MemoryEngine();
  readonly #transport = createInProcessTransport(this.#engine.handlers);
  readonly #rules = new MemoryCollection(NO_AUTOMATIONS, (data) => automationsSchema.parse(data));
  readonly #history = new MemoryCollection(NO_AUTOMATION_HISTORY, (data) => automationHistorySchema.parse(data));
  readonly #memory = new MemoryCollection(NO_AUTOMATION_MEMORY, (data) => {
    if (this.isStoreBroken) throw new AppError('STORAGE_FAILED', 'test');
    return automationMemorySchema.parse(data);
  });

  constructor() {
    this.library = new Library({ engine: this.#transport, isAccount: () => true });
    this.#transport.onEvent((event) => this.library.handleEvent(event));
  }

  static async begin(): Promise<RulesBench> {
    const bench = new RulesBench();
    await bench.#transport.client.start(TEST_ENGINE_OPTIONS);
    return bench;
  }

  /** Complete, a day old, and with a ratio of ten. */
  async add(digit: string): Promise<TorrentId> {
    const id = parseInfoHash(digit.repeat(40));
    const source = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}` } as const;
    await this.#transport.client.addTorrent({ source, savePath: '/files', ownerId: this.account.id, paused: false });
    this.#engine.setFacts(id, { addedAt: this.now - DAY_S });
    this.setRatio(id, 10);
    return id;
  }

  setRatio(id: TorrentId, ratio: number): void {
    this.#engine.setStats(id, { flags: TORRENT_FLAGS.completed, bytesDone: 100, totalUp: 100 * ratio });
  }

  /** Rules, and who acts by them, as one front has them from its start. */
  front(): { readonly automations: Automations; readonly runs: AutomationRuns; readonly previews: Previews } {
    const { library, account } = this;
    const shared = {
      library,
      labels: LABELS,
      now: () => this.now + this.setBy,
      history: new RunHistory(this.#history),
    };
    const memory = new Memory({ collection: this.#memory, now: shared.now });
    const automations = new Automations({
      ...shared,
      collection: this.#rules,
      savePaths: { resolve: async (_account, path) => path },
    });
    const circumstances = {
      ...{ ...shared, memory, automations, nowMs: () => this.now * 1_000 },
      engines: { nameOf: () => '' },
      volumes: { of: () => ({ at: async () => new Map() }) },
    };
    const runs = new AutomationRuns({
      ...{ ...circumstances, log: SILENT_LOG, onRun: () => undefined },
      accountOf: (id) => (id === account.id && !this.isAccountOff ? account : undefined),
      running: {
        pause: (share) => this.#act(share.id, 'pause', () => library.pause(share)),
        resume: (_account, share) => this.#act(share.id, 'resume', () => library.resume(share)),
      },
      torrentTrackers: {
        announceNow: async (share) => {
          await this.#act(share.id, 'announce');
          return this.#transport.client.announceNow(share);
        },
      },
      categoryMoves: { assign: (_account, { id }) => this.#act(id, 'category') },
      torrentLabels: {
        assignTag: ({ id }) => this.#act(id, 'add_tag'),
        unassignTag: ({ id }) => this.#act(id, 'remove_tag'),
      },
      seedPolicies: { setRule: ({ id }) => this.#act(id, 'share_limits') },
      moving: {
        move: (_account, { id }, _torrent, { path }) =>
          this.#act(id, 'move', async () => this.#engine.setFacts(id, { savePath: path })),
      },
    });
    return { automations, runs, previews: new Previews({ ...circumstances, runs }) };
  }

  /** A rule that holds for torrents with a ratio of at least one. */
  rule(fields: object): AutomationFields {
    const when = { match: 'all', conditions: [{ field: 'ratio', op: 'at_least', value: 1 }] };
    return newAutomationSchema.parse({ name: 'rule', when, ...fields });
  }

  async #act(id: TorrentId, name: string, act: () => Promise<unknown> = async () => undefined): Promise<void> {
    this.acts.push(`${id[0]} ${name}`);
    await this.onAct(`${id[0]} ${name}`);
    await act();
  }
}
