// The soak: rounds of churn (torrents, peers, users, all at once) in one daemon, and after each round, when all have left,
// a sample of what it holds. At the end the slopes are judged.
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { KIB } from '../support/peers/payload.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { INSPECTED, ThreadInspector } from '../support/thread-inspector.js';
import { churnClient } from './client-churn.js';
import { churnPeer, type Visited } from './peer-churn.js';
import { takeSample, type Sample } from './samples.js';
import { churnTorrent } from './torrent-churn.js';
import { judge, type TimedSample, type Verdict } from './verdict.js';

const ROUND_MS = 2_500;
/** At the same time. */
const TORRENTS = 2;
const PEERS = 8;
const CLIENTS = 1;
/** What was said last is closed and forgotten. */
const SETTLE_MS = 500;
const EMPTY_MS = 20_000;
const PIECE_LENGTH = 64 * KIB;
const PIECES = 16;
const MINUTE_MS = 60_000;
/** What allocators keep because there is room would be noise: glibc's arenas (mallopt(3)), V8's young generation. */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  NODE_OPTIONS: `${INSPECTED.NODE_OPTIONS} --max-semi-space-size=2`,
};

export interface SoakReport {
  readonly samples: readonly TimedSample[];
  readonly verdicts: readonly Verdict[];
  readonly churned: { readonly torrents: number; readonly peers: number; readonly clients: number };
}

export async function runSoak(
  minutes: number,
  onSample: (minute: number, sample: Sample) => void,
): Promise<SoakReport> {
  const daemon = await startDaemon({ env: ENVIRONMENT, args: ['--log-level', 'warn'] });
  try {
    const visited = await addVisited(daemon);
    const inspector = await ThreadInspector.attach(() => daemon.stderr);
    const churned = { torrents: 0, peers: 0, clients: 0 };
    const samples: TimedSample[] = [];
    const startMs = performance.now();
    for (let minute = 0; minute < minutes;) {
      const endMs = performance.now() + ROUND_MS;
      const again = async (turn: () => Promise<void>): Promise<void> => {
        do await turn();
        while (performance.now() < endMs);
      };
      await Promise.all([
        ...times(TORRENTS, () => again(() => churnTorrent(daemon, 100 + churned.torrents++))),
        ...times(PEERS, () => again(() => churnPeer(visited, churned.peers++))),
        ...times(CLIENTS, () => again(() => churnClient(daemon, visited.infoHash, churned.clients++))),
      ]);
      await leftAlone(daemon);
      minute = (performance.now() - startMs) / MINUTE_MS;
      const sample = await takeSample(daemon.pid, inspector);
      samples.push({ minute, sample });
      onSample(minute, sample);
    }
    inspector.close();
    return { samples, verdicts: judge(samples), churned };
  } finally {
    await daemon.stop();
  }
}

/** A torrent that stays and seeds. */
async function addVisited(daemon: DaemonUnderTest): Promise<Visited> {
  const bytes = seededBytes(1, PIECES * PIECE_LENGTH);
  const { torrentBytes, infoHash } = makeTorrent({ name: 'visited', pieceLength: PIECE_LENGTH, files: bytes });
  await daemon.addTorrentFile(torrentBytes);
  const seed = await seedContent({ bytes, infoHash, pieceLength: PIECE_LENGTH }, daemon.peerPort, Infinity);
  await daemon.waitFor(infoHash, ({ completed }) => completed, EMPTY_MS);
  seed.destroy();
  return { peerPort: daemon.peerPort, infoHash, pieceCount: PIECES };
}

async function leftAlone(daemon: DaemonUnderTest): Promise<void> {
  await waitUntil('an empty daemon', EMPTY_MS, async () => {
    const torrents = await daemon.torrents();
    return (torrents.length === 1 && torrents[0]!.peers === 0) || undefined;
  });
  await sleep(SETTLE_MS);
}

function times<Result>(count: number, make: () => Result): Result[] {
  return Array.from({ length: count }, make);
}
