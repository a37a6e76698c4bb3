// What is known of each source, and what is wanted of it alone: its files, another name, another place. Torrent files are
// looked into as they come, by the server, which names files as they will be on disk; others when that is asked for.
import { createEffect, on, type Accessor } from 'solid-js';
import { createStore } from 'solid-js/store';
import type { AddingBody, InspectedTorrentDto } from '../../../../../shared-protocol/dto/adding.js';
import { ApiError, call, upload } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { MAX_FILE_BYTES, type Source } from './submit.js';

export type Look =
  /** Not asked for. */
  | { readonly kind: 'none' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'known'; readonly torrent: InspectedTorrentDto }
  | { readonly kind: 'failed'; readonly reason: string };

export interface Plan {
  readonly look: Look;
  /** Indexes of files that are not wanted. */
  readonly skipped: ReadonlySet<number>;
  /** Empty: its own. */
  readonly name: string;
  /** Empty: that of all. */
  readonly path: string;
  /** undefined: that of all. */
  readonly categoryId: number | null | undefined;
}

export const NO_PLAN: Plan = { look: { kind: 'none' }, skipped: new Set(), name: '', path: '', categoryId: undefined };
/** Uploads of one account that the server takes at a time. */
const AT_A_TIME = 2;

export type Plans = ReturnType<typeof createPlans>;

export function createPlans(sources: Accessor<readonly Source[]>) {
  const [plans, setPlans] = createStore<Record<string, Plan>>({});
  const planOf = (source: Source): Plan => plans[source.key] ?? NO_PLAN;
  const set = ({ key }: Source, change: Partial<Plan>) => setPlans(key, { ...(plans[key] ?? NO_PLAN), ...change });
  const waiting: Source[] = [];
  let looking = 0;

  const look = async (source: Source) => {
    set(source, { look: { kind: 'looking' } });
    try {
      const torrent = await lookInto(source);
      set(source, { look: { kind: 'known', torrent }, skipped: new Set(excludedOf(torrent)) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      set(source, { look: { kind: 'failed', reason: error.message } });
    }
  };
  const lookAtNext = async () => {
    if (looking >= AT_A_TIME) return;
    looking++;
    for (let source = waiting.shift(); source; source = waiting.shift()) await look(source);
    looking--;
  };
  createEffect(
    on(sources, (now) => {
      const fresh = now.filter((source) => source.kind === 'file' && !plans[source.key]);
      for (const source of fresh) set(source, { look: { kind: 'looking' } });
      waiting.push(...fresh);
      for (let n = 0; n < AT_A_TIME; n++) void lookAtNext();
    }),
  );
  return { planOf, set, look };
}

async function lookInto(source: Source): Promise<InspectedTorrentDto> {
  if (source.kind !== 'file') return call('POST', '/api/torrents/inspect_url', { url: source.link });
  if (source.file.size > MAX_FILE_BYTES) throw new ApiError(0, t('add.tooLarge'));
  const form = new FormData();
  form.set('file', source.file);
  return upload('/api/torrents/inspect', form);
}

/** The id of the torrent, as far as it is known before it is added. */
export function idOf(source: Source, { look }: Plan): string | null {
  if (look.kind === 'known') return look.torrent.id;
  return source.kind === 'magnet' && /^[0-9a-f]{40}$/.test(source.key) ? source.key : null;
}

/** Bytes of the files that are wanted; 0 while they are not known. */
export function wantedBytes({ look, skipped }: Plan): number {
  if (look.kind !== 'known') return 0;
  const left = look.torrent.files.reduce((sum, { index, size }) => sum + (skipped.has(index) ? size : 0), 0);
  return look.torrent.total_bytes - left;
}

export function isNothingWanted({ look, skipped }: Plan): boolean {
  return look.kind === 'known' && look.torrent.file_count > 0 && skipped.size >= look.torrent.file_count;
}

/** Files that the server leaves out by their names, unless they are chosen. */
function excludedOf({ files }: InspectedTorrentDto): number[] {
  return files.filter(({ excluded }) => excluded).map(({ index }) => index);
}

/** Wishes for this source alone, in place of those for all. */
export function wishesOf({ look, skipped, name, path, categoryId }: Plan): AddingBody {
  const chosen = look.kind === 'known' ? excludedOf(look.torrent).filter((index) => !skipped.has(index)) : [];
  const priorities = Object.fromEntries([
    ...[...skipped].map((index) => [index, 'skip'] as const),
    ...chosen.map((index) => [index, 'normal'] as const),
  ]);
  return {
    ...(Object.keys(priorities).length > 0 && { file_priorities: priorities }),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(path.trim() !== '' && { save_path: path.trim() }),
    ...(categoryId !== undefined && { category_id: categoryId }),
  };
}
