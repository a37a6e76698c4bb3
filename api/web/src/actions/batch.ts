// Does one thing to many torrents, on whichever servers they are: some hundred in a request, saying how far it is when that takes time, and one note for
// each reason why it was not done, with the names.
import { createSignal } from 'solid-js';
import type { BatchOutcome } from '../../../../shared-protocol/dto/batch-outcome.js';
import type { BatchAction } from '../../../../shared-protocol/dto/batch.js';
import { inert, shortened } from '../format/quantities.js';
import type { Torrent } from '../live/messages.js';
import { ApiError, call } from '../net/http.js';
import { worded } from '../net/worded.js';
import { idOnServer } from '../state/labels.js';
import { askedOf, byServer, infoHashOf, rowIdOf, serverOf } from '../state/row-id.js';
import { serverName } from '../state/servers.js';
import { t } from '../strings/index.js';
import { showNote } from '../ui/toasts.jsx';
import { sayProgress } from './progress-note.js';

export type Target = Pick<Torrent, 'id' | 'name'>;

/** Few enough that each step is soon over, and is seen. */
const AT_A_TIME = 200;
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
  const endProgress = sayProgress(() => t(DOING[action.action], { done: done(), count: torrents.length }));
  const failed = new Map<string, Target[]>();
  // What is about their order is about all of them together.
  const step = action.action === 'queue_move' ? Math.max(torrents.length, 1) : AT_A_TIME;
  const fail = (reason: string, those: readonly Target[]) => addFailed(failed, reason, those);
  try {
    for (const [server, part] of byServer(torrents)) {
      let from = 0;
      try {
        for (; from < part.length; from += step) {
          const those = part.slice(from, from + step);
          const byId = new Map(those.map((torrent) => [torrent.id, torrent]));
          for (const { id, ok, error = '', ...reason } of await request(server, [...byId.keys()], action)) {
            const torrent = byId.get(id);
            if (!ok && torrent) fail(saidBy(server, worded(error, reason)), [torrent]);
          }
          setDone(done() + those.length);
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // What is asked of this server after it would fail as well.
        fail(saidBy(server, error.message), part.slice(from));
        setDone(done() + part.length - from);
      }
    }
  } finally {
    endProgress();
  }
  showFailures(failed, torrents.length);
  return torrents.length - [...failed.values()].flat().length;
}

/** Says of outcomes that are none why, as after {@link doToAll}; by the ids of rows. */
export function showRefused(torrents: readonly Target[], refused: readonly BatchOutcome[]): void {
  const byId = new Map(torrents.map((torrent) => [torrent.id, torrent]));
  const failed = new Map<string, Target[]>();
  for (const { id, error = '', ...reason } of refused) {
    const torrent = byId.get(id);
    if (torrent) addFailed(failed, saidBy(serverOf(id), worded(error, reason)), [torrent]);
  }
  showFailures(failed, torrents.length);
}

/** By the ids of rows. @throws ApiError */
async function request(
  server: number | null,
  ids: readonly string[],
  action: PageAction,
): Promise<readonly BatchOutcome[]> {
  const there = actionOn(server, action);
  if (!there) return ids.map((id) => ({ id, ok: false, error: t('actions.noLabel') }));
  const body = { ids: ids.map(infoHashOf), ...there };
  const path = askedOf(server, '/api/torrents/batch');
  const { outcomes } = await call<{ readonly outcomes: readonly BatchOutcome[] }>('POST', path, body);
  return outcomes.map((outcome) => ({ ...outcome, id: rowIdOf(outcome.id, server) }));
}

/** The action as the server knows it, by the numbers of its labels; null: it has none of that name. */
function actionOn(server: number | null, action: PageAction): PageAction | null {
  if (action.action === 'category' && action.category_id !== null) {
    const category_id = idOnServer('categories', action.category_id, server);
    return category_id === null ? null : { ...action, category_id };
  }
  if (action.action !== 'add_tag' && action.action !== 'remove_tag') return action;
  const tag_id = idOnServer('tags', action.tag_id, server);
  return tag_id === null ? null : { ...action, tag_id };
}

/** The reason, with the name of the server unless that is this one, or the reason says so itself. */
function saidBy(server: number | null, reason: string): string {
  const name = inert(serverName(server) ?? '');
  return reason.includes(name) ? reason : t('actions.saidBy', { server: name, reason });
}

/** Writes down that the torrents were not done, and why. */
export function addFailed(failed: Map<string, Target[]>, reason: string, torrents: readonly Target[]): void {
  const known = failed.get(reason);
  if (known) known.push(...torrents);
  else failed.set(reason, [...torrents]);
}

/** One note for each reason, with some of the names. */
export function showFailures(failed: ReadonlyMap<string, readonly Target[]>, total: number): void {
  for (const [reason, torrents] of [...failed].slice(0, REASONS)) {
    const named = torrents.slice(0, NAMED).map(({ name }) => `“${shortened(name)}”`);
    const others = torrents.length - named.length;
    if (others > 0) named.push(t('actions.others', { count: others }));
    const values = { failed: torrents.length, count: total, reason, names: named.join(', ') };
    showNote({ look: 'bad', text: total === 1 ? reason : t('actions.failedSome', values) });
  }
}
