// Torrents that are being deleted: handed to the server at once, which carries it out after a while, whatever becomes of this
// page; hidden meanwhile, and there again when it is undone.
import { createSignal } from 'solid-js';
import type { RemovalBegun } from '../../../../shared-protocol/dto/removals.js';
import { shortened } from '../format/quantities.js';
import { call } from '../net/http.js';
import { askedOf, byServer, infoHashOf, rowIdOf } from '../state/row-id.js';
import { t } from '../strings/index.js';
import { showNote } from '../ui/toasts.jsx';
import { showRefused, type Target } from './batch.js';
import { attempt } from './perform.js';

/** Time to press Undo. */
const OFFERED_MS = 6_000;
/** An undo of the last moment is in time. */
const GRACE_S = 8;
/** Within it the ticks have told that they are gone. */
const GONE_MS = 4_000;
/** Torrents of one request: the server has 20,000 of an account pending at most. */
const AT_A_TIME = 10_000;

const [hidden, setHidden] = createSignal<ReadonlySet<string>>(new Set());

/** Tells of each torrent whether the list should not show it any more; as of now. */
export function removalsNow(): (id: string) => boolean {
  const now = hidden();
  return (id) => now.has(id);
}

export function removeSoon(torrents: readonly Target[], withData: boolean): void {
  for (let from = 0; from < torrents.length; from += AT_A_TIME) {
    void removeSome(torrents.slice(from, from + AT_A_TIME), withData);
  }
}

async function removeSome(torrents: readonly Target[], withData: boolean): Promise<void> {
  const ids = torrents.map(({ id }) => id);
  setHidden((before) => new Set([...before, ...ids]));
  const asked = [...byServer(torrents)].map(([server, part]) => ({
    server,
    part: part.map(({ id }) => id),
    begun: attempt(() => {
      const body = { ids: part.map(({ id }) => infoHashOf(id)), delete_data: withData, grace_seconds: GRACE_S };
      return call<RemovalBegun>('POST', askedOf(server, '/api/removals'), body);
    }),
  }));
  let gone: ReturnType<typeof setTimeout> | undefined;
  let isUndone = false;
  const undo = async () => {
    isUndone = true;
    clearTimeout(gone);
    show(ids);
    for (const { server, begun } of asked) {
      const id = (await begun)?.id;
      if (id) await attempt(() => call('DELETE', askedOf(server, `/api/removals/${id}`)));
    }
  };
  const takeAway = showNote({
    text: textOf(torrents, withData),
    durationMs: OFFERED_MS,
    action: { label: t('actions.undo'), run: () => void undo() },
  });
  const all = await Promise.all(asked.map(async ({ begun, ...part }) => ({ ...part, begun: await begun })));
  const isBegun = all.some(({ begun }) => begun?.id);
  if (!isBegun) takeAway();
  for (const { part, begun } of all) if (!begun?.id) show(part);
  const refused = all.flatMap(({ server, begun }) =>
    (begun?.outcomes ?? []).flatMap((outcome) => (outcome.ok ? [] : { ...outcome, id: rowIdOf(outcome.id, server) })),
  );
  show(refused.map(({ id }) => id));
  showRefused(torrents, refused);
  if (isBegun && !isUndone) gone = setTimeout(() => show(ids), GRACE_S * 1_000 + GONE_MS);
}

function show(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const shown = new Set(ids);
  setHidden((before) => new Set([...before].filter((id) => !shown.has(id))));
}

function textOf(torrents: readonly Target[], withData: boolean): string {
  const [first, ...others] = torrents;
  if (!first || others.length > 0) {
    return t(withData ? 'actions.removedWithData' : 'actions.removed', { count: torrents.length });
  }
  return t(withData ? 'actions.removedNamedWithData' : 'actions.removedNamed', { name: shortened(first.name) });
}
