// Moving in: thousands of torrents out of the state of qBittorrent, and out of that of Transmission, each into a fresh service.
// Promised are 5,000 of each within a minute, all of them taken over.
import type { ImportReportDto } from '../../shared-protocol/dto/imports.js';
import { cpuSeconds, peakMemoryBytes } from '../measure/process-metrics.js';
import { withService, type SwarmdService } from '../programs/swarmd-service.js';
import type { Figure } from '../report/results.js';
import { FOREIGN_PROGRAMS, writeForeignState, type ForeignProgram } from '../support/foreign-states.js';
import { until } from '../support/wait.js';
import type { Workspace } from '../support/workspace.js';
import type { Scenario } from './scenario.js';

const TORRENTS = 5_000;
const MOST_SECONDS_EACH = 60 / TORRENTS;
const TIMEOUT_MS = 600_000;
/** Of the files of one torrent, with what a file system in memory takes for them. */
const BYTES_EACH = 64 * 1024;

export const importing: Scenario = {
  kind: 'micro',
  what: `${TORRENTS} torrents of qBittorrent, and of Transmission, taken over`,
  isOnRequest: true,
  async measure({ torrents }) {
    const count = Math.max(...(torrents ?? [TORRENTS]));
    const figures: Figure[] = [];
    for (const program of FOREIGN_PROGRAMS)
      figures.push(
        ...(await withService(count * BYTES_EACH, {}, (service, workspace) =>
          measureWith(service, workspace, program, count),
        )),
      );
    return figures;
  },
};

async function measureWith(
  service: SwarmdService,
  workspace: Workspace,
  program: ForeignProgram,
  count: number,
): Promise<Figure[]> {
  const home = workspace.folder(program);
  await writeForeignState(program, home, workspace.folder('downloads'), count);
  await service.loopDelays();
  const [startMs, cpuBefore] = [performance.now(), cpuSeconds(service.pid)];
  const { id } = await service.ask<ImportReportDto>('POST', '/api/import', { from: program, path: home });
  const look = () => service.ask<ImportReportDto>('GET', `/api/import/${id}?limit=0`);
  await until('import', async () => (await look()).state !== 'running', { timeoutMs: TIMEOUT_MS });
  const seconds = (performance.now() - startMs) / 1_000;
  const { mainP99Ms, engineP99Ms } = await service.loopDelays();
  const cpu = cpuSeconds(service.pid) - cpuBefore;
  const { imported } = await look();
  await service.settled();
  const settledSeconds = (performance.now() - startMs) / 1_000;
  const name = `${count} of ${program}`;
  return [
    { name: `${name}: import`, value: seconds, unit: 's', promise: { atMost: MOST_SECONDS_EACH * count } },
    { name: `${name}: taken over`, value: imported, unit: 'torrents', promise: { atLeast: count } },
    { name: `${name}: nothing left to check`, value: settledSeconds, unit: 's' },
    { name: `${name}: processor time`, value: cpu, unit: 's' },
    { name: `${name}: loop delay p99, main thread`, value: mainP99Ms, unit: 'ms' },
    { name: `${name}: loop delay p99, engine`, value: engineP99Ms, unit: 'ms' },
    { name: `${name}: peak memory`, value: peakMemoryBytes(service.pid) / 1e6, unit: 'MB' },
  ];
}
