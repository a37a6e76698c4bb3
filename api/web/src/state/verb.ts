// What a user is about to do with torrents in a window of its own: which window is open, and for which torrents.
import { createSignal } from 'solid-js';
import type { Torrent } from '../live/messages.js';

export type VerbName =
  | 'move'
  | 'toServer'
  | 'rename'
  | 'limits'
  | 'seeding'
  | 'trackers'
  | 'replaceTrackers'
  | 'addPeers'
  | 'share'
  | 'links'
  | 'create'
  | 'newCategory'
  | 'newTag';

export interface Verb {
  readonly name: VerbName;
  /** The torrents as they were when it was opened; none for what is about none. */
  readonly torrents: readonly Torrent[];
  /** The file or folder that `links` begins with. */
  readonly path?: string;
}

const [verb, setVerb] = createSignal<Verb | null>(null);

export { verb };

export function openVerb(name: VerbName, torrents: readonly Torrent[] = [], path?: string): void {
  setVerb({ name, torrents, ...(path === undefined ? {} : { path }) });
}

export function closeVerb(): void {
  setVerb(null);
}
