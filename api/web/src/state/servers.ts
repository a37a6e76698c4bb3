// The other servers that the account sees. Nothing is known, and nothing shown, of any until the push channel tells of one;
// what there is to know of them comes with features/servers/seen-servers.ts.
import { createSignal } from 'solid-js';
import type { CategoryDto, TagDto } from '../../../../shared-protocol/dto/labels.js';
import type { RemoteDto } from '../../../../shared-protocol/dto/remotes.js';
import type { Torrent } from '../live/messages.js';

export type SeenServer = Pick<RemoteDto, 'id' | 'name' | 'state' | 'since' | 'reason'>;

/** Labels of a server, with the numbers that they have here (label-there.ts). */
export interface LabelsThere {
  readonly categories: readonly CategoryDto[];
  readonly tags: readonly TagDto[];
}

const [seenServers, setSeenServers] = createSignal<readonly SeenServer[]>([]);
const [labelsThere, setLabelsThere] = createSignal<ReadonlyMap<number, LabelsThere>>(new Map());

export { labelsThere, seenServers, setLabelsThere, setSeenServers };

export function serverNamed(id: number | null | undefined): SeenServer | undefined {
  return seenServers().find((server) => server.id === id);
}

/** null: this one. A server of which no more is known yet has its number. */
export function serverName(id: number | null | undefined): string | null {
  return id === null || id === undefined ? null : (serverNamed(id)?.name ?? `#${id}`);
}

/** Whether a torrent is on a server that is not connected, or of an engine that is not reached. */
export function isAway(torrent: Pick<Torrent, 'server_id' | 'engine_away'>): boolean {
  return torrent.engine_away === true || awayServerOf(torrent) !== undefined;
}

/** The server of a torrent where that is not connected: what is shown of it is how it was last. */
export function awayServerOf({ server_id: id }: Pick<Torrent, 'server_id'>): SeenServer | undefined {
  const server = id === undefined ? undefined : serverNamed(id);
  return server?.state === 'connected' ? undefined : server;
}
