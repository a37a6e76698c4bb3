// 2,000 peers on 50 torrents, in a process of their own: what a connection costs in memory and in processor time, idle,
// then with a trickle of messages. Memory is over that of the same daemon with 200 peers and the same trickle: the first
// blocks start the threads that hash, which are not the cost of a connection. And whether a transfer of another torrent at
// full speed keeps its rate beside them: first with them, then alone, after a run that warms up.
import { timedDownload, type Transfer } from '../load/timed-transfer.js';
import type { CrowdJob } from '../load/peer-crowd.js';
import { median } from '../measure/percentile.js';
import { cpuSeconds, residentBytes } from '../measure/process-metrics.js';
import { withService, type SwarmdService } from '../programs/swarmd-service.js';
import type { Figure } from '../report/results.js';
import { Child } from '../support/child.js';
import { makePayload } from '../support/payload.js';
import { compiledFile } from '../support/project.js';
import { makeSmallTorrents, writeContent } from '../support/small-torrents.js';
import { pause } from '../support/wait.js';
import type { Workspace } from '../support/workspace.js';
import type { Scenario, Sizes } from './scenario.js';

const PEERS = 2_000;
const FEW_PEERS = 200;
const TORRENTS = 50;
/** 8 MiB in each torrent. Half of them are there and seed, half are wanted. */
const PIECES = 512;
const SPARE_PEERS = 200;
const CONNECT_TIMEOUT_MS = 120_000;
/** What starting has left behind is collected and given back in this time, or counts. */
const SETTLE_MS = 20_000;
const WATCH_MS = 20_000;
const KIB = 1024;

export const connections: Scenario = {
  kind: 'micro',
  what: '2,000 peers on 50 torrents: memory, CPU, a transfer beside them',
  isOnRequest: true,
  measure(sizes) {
    const flags = ['--max-peers', String(PEERS + SPARE_PEERS)];
    return withService(sizes.sizeBytes, { flags }, (service, workspace) => measureWith(service, workspace, sizes));
  },
};

async function measureWith(service: SwarmdService, workspace: Workspace, sizes: Sizes): Promise<Figure[]> {
  const payload = makePayload(workspace.folder('payload'), sizes.sizeBytes, sizes.pieceBytes);
  await addTorrents(service, workspace);
  await pause(SETTLE_MS);
  const empty = await watch(service.pid);
  const few = await watchFew(service);
  const crowd = gather(service, PEERS);
  try {
    await crowd.event('connected', CONNECT_TIMEOUT_MS);
    await pause(SETTLE_MS);
    const open = await reportOf(crowd);
    const idle = await watch(service.pid);
    crowd.order('trickle');
    await pause(SETTLE_MS);
    const before = await reportOf(crowd);
    const trickling = await watch(service.pid);
    const after = await reportOf(crowd);
    await timedDownload(service, payload, workspace);
    const beside = await several(sizes.runs, () => timedDownload(service, payload, workspace));
    const left = await reportOf(crowd);
    await disperse(service, crowd);
    const alone = await several(sizes.runs, () => timedDownload(service, payload, workspace));
    const perConnection = ({ bytes }: Watched) => (bytes - few.bytes) / (open.open - FEW_PEERS) / KIB;
    const blocks = (after.received + after.sent - before.received - before.sent) / (WATCH_MS / 1_000);
    return [
      { name: 'connections, settled', value: open.open, unit: 'peers', promise: { atLeast: PEERS } },
      { name: 'connections, at the end', value: left.open, unit: 'peers', promise: { atLeast: PEERS } },
      { name: 'the daemon without peers', value: empty.bytes / 1e6, unit: 'MB' },
      { name: `the daemon with ${FEW_PEERS}, trickling`, value: few.bytes / 1e6, unit: 'MB' },
      { name: `the daemon with ${PEERS}, idle`, value: idle.bytes / 1e6, unit: 'MB' },
      { name: `the daemon with ${PEERS}, trickling`, value: trickling.bytes / 1e6, unit: 'MB' },
      { name: 'a connection, idle', value: perConnection(idle), unit: 'KiB', promise: { atMost: 24 } },
      { name: 'a connection, trickling', value: perConnection(trickling), unit: 'KiB', promise: { atMost: 24 } },
      { name: 'CPU without peers', value: empty.cpuPercent, unit: '% of a core' },
      { name: 'CPU, idle', value: idle.cpuPercent, unit: '% of a core' },
      { name: 'CPU, trickling', value: trickling.cpuPercent, unit: '% of a core' },
      { name: 'blocks trickling, both ways', value: blocks, unit: 'a second' },
      { name: 'transfer alone', value: rateOf(alone), unit: 'MB/s' },
      { name: 'transfer beside', value: rateOf(beside), unit: 'MB/s' },
      { name: 'rate kept', value: rateOf(beside) / rateOf(alone), unit: '×', promise: { atLeast: 0.8 } },
      { name: 'the other end, alone', value: median(alone.map(busyOf)), unit: '% of a core' },
      { name: 'the other end, beside', value: median(beside.map(busyOf)), unit: '% of a core' },
    ];
  } finally {
    await crowd.stop();
  }
}

function gather(service: SwarmdService, peers: number): Child {
  const job: CrowdJob = { port: service.peerPort, peers, torrents: TORRENTS, pieceCount: PIECES };
  return new Child(process.execPath, [compiledFile('bench/load/peer-crowd.js'), JSON.stringify(job)]);
}

async function disperse(service: SwarmdService, crowd: Child): Promise<void> {
  crowd.order('leave');
  await service.waitFor('empty', (torrents) => torrents.every(({ peers }) => peers === 0), CONNECT_TIMEOUT_MS);
}

async function watchFew(service: SwarmdService): Promise<Watched> {
  const crowd = gather(service, FEW_PEERS);
  try {
    await crowd.event('connected', CONNECT_TIMEOUT_MS);
    crowd.order('trickle');
    await pause(SETTLE_MS);
    const watched = await watch(service.pid);
    await disperse(service, crowd);
    return watched;
  } finally {
    await crowd.stop();
  }
}

async function addTorrents(service: SwarmdService, workspace: Workspace): Promise<void> {
  const { torrents, data } = makeSmallTorrents(TORRENTS, PIECES);
  const there = workspace.folder('there');
  const wanted = workspace.folder('wanted');
  for (const [index, torrent] of torrents.entries()) {
    const isThere = index % 2 === 0;
    if (isThere) writeContent(torrent, data, there);
    await service.add(torrent.torrentBytes, isThere ? there : wanted);
  }
  await service.settled();
}

interface Watched {
  readonly bytes: number;
  readonly cpuPercent: number;
}

/** Resident at the end; processor time meanwhile. */
async function watch(pid: number): Promise<Watched> {
  const before = cpuSeconds(pid);
  await pause(WATCH_MS);
  return { bytes: residentBytes(pid), cpuPercent: (cpuSeconds(pid) - before) / (WATCH_MS / 100_000) };
}

interface CrowdReport {
  readonly open: number;
  readonly received: number;
  readonly sent: number;
}

async function reportOf(crowd: Child): Promise<CrowdReport> {
  crowd.order('report');
  const report = await crowd.event('report', CONNECT_TIMEOUT_MS);
  const figure = (name: string) => Number(report[name]);
  return { open: figure('open'), received: figure('received'), sent: figure('sent') };
}

async function several(runs: number, transfer: () => Promise<Transfer>): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  while (transfers.length < runs) transfers.push(await transfer());
  return transfers;
}

function rateOf(transfers: readonly Transfer[]): number {
  return median(transfers.map(({ mbPerSecond }) => mbPerSecond));
}

function busyOf({ otherEndBusy }: Transfer): number {
  return otherEndBusy;
}
