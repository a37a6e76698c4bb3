// An import that is looked at while it runs: its figures every moment, its torrents once it has ended.
import { createSignal, onCleanup, type Accessor } from 'solid-js';
import type { ImportDto, ImportReportDto } from '../../../../../shared-protocol/dto/imports.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';

const PATH = '/api/import';
const LOOK_AGAIN_MS = 500;

export interface WatchedImport {
  readonly report: Accessor<ImportReportDto | null>;
  /** Resolves when it has ended, or cannot be looked at any more. */
  watch(id: number): Promise<void>;
  /** The one that is under way, or the last one, as far as there is one. */
  watchLast(): Promise<void>;
  cancel(): Promise<void>;
  more(): Promise<void>;
}

export function createWatchedImport(): WatchedImport {
  const [report, setReport] = createSignal<ImportReportDto | null>(null);
  let watched = 0;
  let isGone = false;
  onCleanup(() => (isGone = true));
  const look = (id: number, query: string) => attempt(() => call<ImportReportDto>('GET', `${PATH}/${id}${query}`));
  const watch = async (id: number) => {
    watched = id;
    while (!isGone && watched === id) {
      const now = await look(id, '?limit=0');
      if (!now || watched !== id) return;
      const isRunning = now.state === 'running';
      const whole = isRunning ? now : ((await look(id, '')) ?? now);
      if (watched === id) setReport(whole);
      if (!isRunning) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  };
  return {
    report,
    watch,
    async watchLast() {
      const all = await attempt(() => call<readonly ImportDto[]>('GET', PATH));
      const last = all?.at(-1);
      if (last) await watch(last.id);
    },
    async cancel() {
      await attempt(() => call('DELETE', `${PATH}/${watched}`));
    },
    async more() {
      const before = report();
      if (!before) return;
      const next = await look(before.id, `?offset=${before.torrents.length}`);
      if (next) setReport({ ...next, torrents: [...before.torrents, ...next.torrents] });
    },
  };
}
