// Torrents whose data come over the network: a seed that has all of them, and gives so little of each at a time that faults come in
// between, and a tracker that leads to it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { startHttpTracker, type HttpTracker } from '../../support/http-tracker.js';
import { makeTorrent, type MadeTorrent } from '../../support/make-torrent.js';

const PIECE_LENGTH = 16_384;
const UP_KBPS = 20;
const TIMEOUT_MS = 30_000;

export class Downloads {
  private constructor(
    private readonly seed: DaemonUnderTest,
    private readonly tracker: HttpTracker,
  ) {}

  /** `host`: the address at which a fleet reaches this process. */
  static async start(host: string, network: string): Promise<Downloads> {
    const seed = await startDaemon({ args: ['--fetch-allow', network] });
    return new Downloads(seed, await startHttpTracker({ at: { host, port: 0 }, intervalSec: 60 }));
  }

  /** A torrent that the seed has and the tracker knows. */
  async make(name: string, bytes: Uint8Array): Promise<MadeTorrent> {
    const { seed, tracker } = this;
    const made = makeTorrent({ name, pieceLength: PIECE_LENGTH, files: bytes, trackers: [tracker.announceUrl] });
    await writeFile(join(seed.savePath, name), bytes);
    const id = await seed.addTorrentFile(made.torrentBytes, seed.savePath);
    await seed.api('PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: 0, up_kbps: UP_KBPS });
    await seed.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
    return made;
  }

  async close(): Promise<void> {
    await this.seed.kill();
    await this.tracker.close();
  }
}
