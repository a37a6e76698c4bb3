// Everything at once: a transfer at full speed, a recheck after another, 20 sockets of the push channel and 50 requests a
// second. What each of them gets, beside what the transfer and the recheck get alone, and how late both threads are.
import type { ApiJob } from '../load/api-load.js';
import { timedDownload, timedUpload, type Transfer } from '../load/timed-transfer.js';
import { median } from '../measure/percentile.js';
import { cpuSeconds } from '../measure/process-metrics.js';
import { withService, type SwarmdService } from '../programs/swarmd-service.js';
import type { Figure } from '../report/results.js';
import { Child } from '../support/child.js';
import { makePayload, type Payload } from '../support/payload.js';
import { compiledFile } from '../support/project.js';
import { makeSmallTorrents } from '../support/small-torrents.js';
import { monotonicMs, until } from '../support/wait.js';
import type { Workspace } from '../support/workspace.js';
import type { Scenario, Sizes } from './scenario.js';

const TORRENTS = 200;
const SOCKETS = 20;
const REQUESTS_PER_SECOND = 50;
const READY_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUT_MS = 300_000;

export const mixed: Scenario = {
  kind: 'micro',
  what: 'a transfer, rechecks, 20 sockets and 50 requests a second at once',
  isOnRequest: true,
  measure(sizes) {
    // What is rechecked is as large as what is transferred.
    return withService(2 * sizes.sizeBytes, {}, (service, workspace) => measureWith(service, workspace, sizes));
  },
};

async function measureWith(service: SwarmdService, workspace: Workspace, sizes: Sizes): Promise<Figure[]> {
  const moved = makePayload(workspace.folder('moved'), sizes.sizeBytes, sizes.pieceBytes);
  // Pieces of another length make it another torrent.
  const checked = makePayload(workspace.folder('checked'), sizes.sizeBytes, sizes.pieceBytes / 2);
  const checkedId = await service.add(checked.torrentBytes, checked.folder);
  const idle = workspace.folder('idle');
  const ids: string[] = [];
  for (const { torrentBytes } of makeSmallTorrents(TORRENTS, 4).torrents)
    ids.push(await service.add(torrentBytes, idle));
  await service.settled();
  const transferAll = () => transfers(service, moved, workspace, sizes.runs);

  await timedDownload(service, moved, workspace);
  const alone = await transferAll();
  const checksAlone = new Rechecks(service, checkedId, checked);
  await until('rechecks', async () => checksAlone.count >= sizes.runs, { timeoutMs: CHECK_TIMEOUT_MS });
  const checkRateAlone = await checksAlone.stop();

  const job: ApiJob = {
    url: service.url,
    key: service.apiKey,
    sockets: SOCKETS,
    requestsPerSecond: REQUESTS_PER_SECOND,
    ids,
  };
  const load = new Child(process.execPath, [compiledFile('bench/load/api-load.js'), JSON.stringify(job)]);
  try {
    await load.event('ready', READY_TIMEOUT_MS);
    const checks = new Rechecks(service, checkedId, checked);
    await service.loopDelays();
    load.order('begin');
    const cpu = startCpu({ service: service.pid, load: load.pid });
    const together = await transferAll();
    const delays = await service.loopDelays();
    load.order('report');
    const answers = await load.event('report', READY_TIMEOUT_MS);
    const busy = cpu();
    const checkRate = await checks.stop();
    const rates = (direction: 'down' | 'up') => ({
      alone: median(alone[direction].map(({ mbPerSecond }) => mbPerSecond)),
      together: median(together[direction].map(({ mbPerSecond }) => mbPerSecond)),
    });
    const otherEnd = median([...together.down, ...together.up].map(({ otherEndBusy }) => otherEndBusy));
    return [
      ...rateFigures('download', rates('down')),
      ...rateFigures('upload', rates('up')),
      { name: 'recheck alone', value: checkRateAlone, unit: 'MB/s' },
      { name: 'recheck mixed', value: checkRate, unit: 'MB/s' },
      { name: 'API p50', value: Number(answers['p50']), unit: 'ms' },
      { name: 'API p99', value: Number(answers['p99']), unit: 'ms', promise: { atMost: 20 } },
      { name: 'API max', value: Number(answers['max']), unit: 'ms' },
      { name: 'API answers', value: Number(answers['answers']), unit: 'answers' },
      {
        name: 'API answers that were no success',
        value: Number(answers['failed']),
        unit: 'answers',
        promise: { atMost: 0 },
      },
      { name: 'main thread late, p50', value: delays.mainP50Ms, unit: 'ms' },
      { name: 'main thread late, p99', value: delays.mainP99Ms, unit: 'ms', promise: { atMost: 20 } },
      { name: 'engine thread late, p50', value: delays.engineP50Ms, unit: 'ms' },
      { name: 'engine thread late, p99', value: delays.engineP99Ms, unit: 'ms' },
      { name: 'CPU of the service, mixed', value: busy.service, unit: '% of a core' },
      { name: 'CPU of the clients, mixed', value: busy.load, unit: '% of a core' },
      { name: 'CPU of the other end, mixed', value: otherEnd, unit: '% of a core' },
    ];
  } finally {
    await load.stop();
  }
}

interface Transfers {
  readonly down: readonly Transfer[];
  readonly up: readonly Transfer[];
}

/** Downloads and uploads in turn. */
async function transfers(
  service: SwarmdService,
  payload: Payload,
  workspace: Workspace,
  runs: number,
): Promise<Transfers> {
  const down: Transfer[] = [];
  const up: Transfer[] = [];
  while (up.length < runs) {
    down.push(await timedDownload(service, payload, workspace));
    const id = await service.add(payload.torrentBytes, payload.folder);
    await service.waitFor('the seed', (all) => all.some((one) => one.id === id && one.completed), CHECK_TIMEOUT_MS);
    up.push(await timedUpload(service, payload, workspace));
    await service.ask('DELETE', `/api/torrents/${id}`);
  }
  return { down, up };
}

/** One recheck after another. */
class Rechecks {
  /** Whole ones. */
  count = 0;
  readonly #startMs = monotonicMs();
  #lastMs = NaN;
  #isStopping = false;
  readonly #done: Promise<void>;

  constructor(
    private readonly service: SwarmdService,
    private readonly id: string,
    private readonly payload: Payload,
  ) {
    this.#done = this.#run();
  }

  /** MB/s over all whole ones. */
  async stop(): Promise<number> {
    this.#isStopping = true;
    await this.#done;
    return (this.count * this.payload.bytes) / 1e3 / (this.#lastMs - this.#startMs);
  }

  async #run(): Promise<void> {
    const isDone = ({ id, completed, verifying }: { id: string; completed: boolean; verifying: boolean }) =>
      id === this.id && completed && !verifying;
    while (!this.#isStopping) {
      await this.service.ask('POST', `/api/torrents/${this.id}/recheck`);
      await this.service.waitFor('recheck', (torrents) => torrents.some(isDone), CHECK_TIMEOUT_MS);
      this.count++;
      this.#lastMs = monotonicMs();
    }
  }
}

function rateFigures(what: string, { alone, together }: { alone: number; together: number }): Figure[] {
  return [
    { name: `${what} alone`, value: alone, unit: 'MB/s' },
    { name: `${what} mixed`, value: together, unit: 'MB/s' },
    { name: `${what}, rate kept`, value: together / alone, unit: '×', promise: { atLeast: 0.8 } },
  ];
}

/** Per cent of a core from now until it is asked, each process by itself. */
function startCpu<Name extends string>(pids: Readonly<Record<Name, number>>): () => Record<Name, number> {
  const names = Object.keys(pids) as Name[]; // the keys of the argument
  const before = names.map((name) => cpuSeconds(pids[name]));
  const startMs = monotonicMs();
  return () => {
    const seconds = (monotonicMs() - startMs) / 1_000;
    const busy = names.map((name, i) => [name, (100 * (cpuSeconds(pids[name]) - before[i]!)) / seconds] as const);
    return Object.fromEntries(busy) as Record<Name, number>;
  };
}
