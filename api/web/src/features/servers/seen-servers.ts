// What there is to know of the servers that the account sees: their names, how it goes with each since when, and their
// labels, which are found by name among those of here. Read when the push channel tells of another state of one.
import { createEffect, on, onCleanup, untrack } from 'solid-js';
import type { CategoryDto, TagDto } from '../../../../../shared-protocol/dto/labels.js';
import type { RemoteDto } from '../../../../../shared-protocol/dto/remotes.js';
import type { ServerStanding, Torrent } from '../../live/messages.js';
import { ApiError, call } from '../../net/http.js';
import { COLLATOR } from '../../state/collator.js';
import { labelIdThere } from '../../state/label-there.js';
import type { Live } from '../../state/live.js';
import { askedOf } from '../../state/row-id.js';
import {
  labelsThere,
  seenServers,
  setLabelsThere,
  setSeenServers,
  type LabelsThere,
  type SeenServer,
} from '../../state/servers.js';
import { serverNowMs } from '../../net/server-clock.js';

/** For the component that is there as long as a user is signed in: the next account sees servers of its own. */
export function followServers({ servers, torrents }: Pick<Live, 'servers' | 'torrents'>): void {
  // One after the other: of one account four requests to other servers go at a time.
  let turn = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => void (turn = turn.then(work).catch(ignoreRefusal));
  createEffect(
    on(servers, (standings) => {
      show(standings);
      if (standings.length === 0) return;
      inTurn(async () => {
        known = await call<readonly RemoteDto[]>('GET', '/api/remotes');
        show(servers());
      });
      for (const { server_id: id, state } of standings) if (state === 'connected') inTurn(() => readLabels(id));
    }),
  );
  const end = torrents.onChanges((changed) => {
    if (untrack(labelsThere).size === 0) return;
    for (const id of serversOfNewLabels(changed.flatMap((row) => torrents.all.get(row) ?? []))) {
      inTurn(() => readLabels(id));
    }
  });
  onCleanup(() => {
    end();
    setSeenServers([]);
    setLabelsThere(new Map());
  });
}

/** The servers as they were told of last, those that the account sees no more among them. */
let known: readonly RemoteDto[] = [];
/** Labels that were looked for: one that is not there is not there the second time either. */
const missed = new Set<number>();

/** By what the push channel says, which comes first. */
function show(standings: readonly ServerStanding[]): void {
  const seen = standings.map(({ server_id: id, state }): SeenServer => {
    const told = known.find((server) => server.id === id);
    const isTold = told?.state === state;
    const before = untrack(seenServers).find((server) => server.id === id);
    const since = isTold ? told.since : before?.state === state ? before.since : Math.floor(serverNowMs() / 1000);
    return { id, name: told?.name ?? `#${id}`, state, since, reason: isTold ? told.reason : null };
  });
  setSeenServers(seen.sort((a, b) => COLLATOR.compare(a.name, b.name)));
}

async function readLabels(server: number): Promise<void> {
  const read = async <Label extends CategoryDto | TagDto>(path: string) =>
    (await call<readonly Label[]>('GET', askedOf(server, path))).map((label) => {
      return { ...label, id: labelIdThere(server, label.id) };
    });
  const labels: LabelsThere = {
    categories: await read<CategoryDto>('/api/categories'),
    tags: await read<TagDto>('/api/tags'),
  };
  setLabelsThere((before) => new Map([...before, [server, labels]]));
}

/** Servers whose torrents have labels that were made since their labels were read. */
function serversOfNewLabels(torrents: readonly Torrent[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { server_id: server, category_id: category, tags } of torrents) {
    const labels = server === undefined ? undefined : labelsThere().get(server);
    if (server === undefined || !labels) continue;
    const unknown = [
      ...(category === null || labels.categories.some(({ id }) => id === category) ? [] : [category]),
      ...tags.flatMap(({ id }) => (labels.tags.some((tag) => tag.id === id) ? [] : [id])),
    ].filter((id) => !missed.has(id));
    for (const id of unknown) missed.add(id);
    if (unknown.length > 0) found.add(server);
  }
  return found;
}

/** A server that went away meanwhile is read when it is back. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
