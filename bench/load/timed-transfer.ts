// One transfer of the payload between a service and a raw end at full speed, whatever else the service is doing: how
// fast, and how much of a core the other end took, which may have been the bottleneck.
import { checkCopy, type Payload } from '../support/payload.js';
import { cpuOf } from '../measure/process-metrics.js';
import { transferTimeoutMs } from '../programs/program.js';
import type { SwarmdService } from '../programs/swarmd-service.js';
import { monotonicMs } from '../support/wait.js';
import type { Workspace } from '../support/workspace.js';
import { createOtherEnd } from './other-end.js';

export interface Transfer {
  readonly mbPerSecond: number;
  /** Percent of a core. */
  readonly otherEndBusy: number;
}

export interface DownloadOptions {
  /** Where the copy goes; a folder of its own unless told. */
  readonly folder?: string;
  /** KiB a second at most; 0: as much as goes. */
  readonly kbps?: number;
}

/** The service downloads; verified and written, checked byte for byte. Its torrent and its copy go again. */
export async function timedDownload(
  service: SwarmdService,
  payload: Payload,
  workspace: Workspace,
  { folder = workspace.folder('copy'), kbps = 0 }: DownloadOptions = {},
): Promise<Transfer> {
  const id = await service.add(payload.torrentBytes, folder);
  if (kbps > 0) await service.ask('PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: kbps, up_kbps: 0 });
  await service.settled();
  const end = await createOtherEnd('raw', workspace).startSeeding(payload, service.peerPort, {});
  try {
    const timeoutMs = transferTimeoutMs(payload.bytes);
    const startMs = await end.firstByte(timeoutMs);
    const cpuBefore = cpuOf(end.pids);
    const isDone = ({ id: other, completed }: { id: string; completed: boolean }) => other === id && completed;
    await service.waitFor('download', (torrents) => torrents.some(isDone), timeoutMs);
    const seconds = (monotonicMs() - startMs) / 1_000;
    const otherEndBusy = (100 * (cpuOf(end.pids) - cpuBefore)) / seconds;
    checkCopy(payload, folder);
    return { mbPerSecond: payload.bytes / 1e6 / seconds, otherEndBusy };
  } finally {
    await end.stop();
    await service.ask('DELETE', `/api/torrents/${id}?delete=1`);
    workspace.remove(folder);
  }
}

/** A raw leecher downloads from the service, which has been given the payload as a seed. */
export async function timedUpload(service: SwarmdService, payload: Payload, workspace: Workspace): Promise<Transfer> {
  const end = await createOtherEnd('raw', workspace).startLeeching(payload, service.peerPort, '', {});
  try {
    const timeoutMs = transferTimeoutMs(payload.bytes);
    const startMs = await end.firstByte(timeoutMs);
    const cpuBefore = cpuOf(end.pids);
    const seconds = ((await end.finished(timeoutMs)) - startMs) / 1_000;
    const otherEndBusy = (100 * (cpuOf(end.pids) - cpuBefore)) / seconds;
    return { mbPerSecond: payload.bytes / 1e6 / seconds, otherEndBusy };
  } finally {
    await end.stop();
  }
}
