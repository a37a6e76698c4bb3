// Priorities as they will be: what was just chosen holds until a tick confirms it, or the server refuses it.
import { createEffect, createSignal, onCleanup, untrack, type Accessor } from 'solid-js';
import type { FileDto } from '../../../../../shared-protocol/dto/inspector.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { askedOf, infoHashOf, serverOf } from '../../state/row-id.js';
import type { Priority } from './file-tree.js';

/** A tick that was on its way may still tell the old ones. */
const PATIENCE_MS = 5_000;

export interface FilePriorities {
  /** By place in the list of files; reading it is waiting for changes. */
  readonly of: Accessor<(place: number) => Priority>;
  set(places: readonly number[], priority: Priority): Promise<void>;
}

export function createFilePriorities(id: string, files: Accessor<readonly FileDto[]>): FilePriorities {
  const [chosen, setChosen] = createSignal<ReadonlyMap<number, Priority>>(new Map());
  const timers = new Set<ReturnType<typeof setTimeout>>();
  onCleanup(() => timers.forEach(clearTimeout));
  const forget = (isOver: (place: number, priority: Priority) => boolean) =>
    setChosen((before) => {
      const left = [...before].filter(([place, priority]) => !isOver(place, priority));
      return left.length === before.size ? before : new Map(left);
    });
  createEffect(() => {
    const now = files();
    forget((place, priority) => now[place]?.priority === priority);
  });
  return {
    of: () => {
      const [known, mine] = [files(), chosen()];
      return (place) => mine.get(place) ?? known[place]?.priority ?? 'normal';
    },
    async set(places, priority) {
      const now = untrack(files);
      setChosen((before) => new Map([...before, ...places.map((place) => [place, priority] as const)]));
      const priorities = Object.fromEntries(places.map((place) => [now[place]!.index, priority]));
      const path = askedOf(serverOf(id), '/api/torrents/file_priorities');
      const answer = await attempt(() => call('POST', path, { infohash: infoHashOf(id), priorities }));
      const mine = new Set(places);
      const forgetMine = () => forget((place, last) => mine.has(place) && last === priority);
      if (answer === null) forgetMine();
      else timers.add(setTimeout(forgetMine, PATIENCE_MS));
    },
  };
}
