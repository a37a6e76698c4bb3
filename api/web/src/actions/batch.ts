// Does one thing to many torrents: some hundred in a request, saying how far it is when that takes time, and one note for
// each reason why it was not done, with the names.
import { createSignal } from 'solid-js';
import type { BatchOutcome } from '../../../../shared-protocol/dto/batch-outcome.js';
import type { BatchAction } from '../../../../shared-protocol/dto/batch.js';
import { shortened } from '../format/quantities.js';
import type { Torrent } from '../live/messages.js';
import { ApiError, call } from '../net/http.js';
import { worded } from '../net/worded.js';
import { t } from '../strings/index.js';
import { showNote } from '../ui/toasts.jsx';

export type Target = Pick<Torrent, 'id' | 'name'>;

/** Few enough that each step is soon over, and is seen. */
const AT_A_TIME = 200;
/** Most things are done sooner, and need no word. */
const QUIET_MS = 500;
const NAMED = 3;
const REASONS = 3;

/** The actions of the page. */
export type PageAction = Extract<BatchAction, { readonly action: keyof typeof DOING }>;

const DOING = {
  pause: 'actions.doing.pause',
  resume: 'actions.doing.resume',
  recheck: 'actions.doing.recheck',
  category: 'actions.doing.category',
  add_tag: 'actions.doing.tags',
  remove_tag: 'actions.doing.tags',
  queue_move: 'actions.doing.queue',
  announce: 'actions.doing.announce',
  force_start: 'actions.doing.forceStart',
  sequential: 'actions.doing.sequential',
  first_last_first: 'actions.doing.sequential',
  move: 'actions.doing.change',
  super_seeding: 'actions.doing.change',
  seeding_rule: 'actions.doing.change',
  rate_limits: 'actions.doing.change',
  peer_limits: 'actions.doing.change',
  add_peers: 'actions.doing.change',
  add_tracker: 'actions.doing.change',
  set_trackers: 'actions.doing.change',
  share: 'actions.doing.change',
  unshare: 'actions.doing.change',
} as const;

/** Resolves to how many succeeded; what failed has been shown. */
export async function doToAll(torrents: readonly Target[], action: PageAction): Promise<number> {
  const [done, setDone] = createSignal(0);
  const progress = () => t(DOING[action.action], { done: done(), count: torrents.length });
  let takeAway = (): void => undefined;
  const say = setTimeout(() => (takeAway = showNote({ text: progress, durationMs: Infinity })), QUIET_MS);
  const failed = new Map<string, Target[]>();
  // What is about their order is about all of them together.
  const step = action.action === 'queue_move' ? Math.max(torrents.length, 1) : AT_A_TIME;
  const fail = (reason: string, those: readonly Target[]) => {
    const known = failed.get(reason);
    if (known) known.push(...those);
    else failed.set(reason, [...those]);
  };
  try {
    for (let from = 0; from < torrents.length; from += step) {
      const those = torrents.slice(from, from + step);
      const byId = new Map(those.map((torrent) => [torrent.id, torrent]));
      for (const { id, ok, error = '' } of await request([...byId.keys()], action)) {
        const torrent = byId.get(id);
        if (!ok && torrent) fail(worded(error), [torrent]);
      }
      setDone(from + those.length);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // What is asked after it would fail as well.
    fail(error.message, torrents.slice(done()));
  } finally {
    clearTimeout(say);
    takeAway();
  }
  showFailures(failed, torrents.length);
  return torrents.length - [...failed.values()].flat().length;
}

/** Says of outcomes that are none why, as after {@link doToAll}. */
export function showRefused(torrents: readonly Target[], refused: readonly BatchOutcome[]): void {
  const byId = new Map(torrents.map((torrent) => [torrent.id, torrent]));
  const failed = new Map<string, Target[]>();
  for (const { id, error = '' } of refused) {
    const torrent = byId.get(id);
    if (torrent) failed.set(worded(error), [...(failed.get(worded(error)) ?? []), torrent]);
  }
  showFailures(failed, torrents.length);
}

async function request(ids: readonly string[], action: PageAction): Promise<readonly BatchOutcome[]> {
  const body = { ids, ...action };
  return (await call<{ readonly outcomes: readonly BatchOutcome[] }>('POST', '/api/torrents/batch', body)).outcomes;
}

function showFailures(failed: ReadonlyMap<string, readonly Target[]>, total: number): void {
  for (const [reason, torrents] of [...failed].slice(0, REASONS)) {
    const named = torrents.slice(0, NAMED).map(({ name }) => `“${shortened(name)}”`);
    const others = torrents.length - named.length;
    if (others > 0) named.push(t('actions.others', { count: others }));
    const values = { failed: torrents.length, count: total, reason, names: named.join(', ') };
    showNote({ look: 'bad', text: total === 1 ? reason : t('actions.failedSome', values) });
  }
}
