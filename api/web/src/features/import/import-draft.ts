// An import as it is asked for: from which program, its folder or an archive of it, for whom, and how. No markup here.
import { createMutable } from 'solid-js/store';
import type { ImportBody, ImportSource } from '../../../../../shared-protocol/dto/imports.js';

export const SOURCES: readonly ImportSource[] = ['qbittorrent', 'transmission', 'deluge', 'rtorrent'];

export interface Mapping {
  from: string;
  to: string;
}

export interface ImportDraft {
  from: ImportSource;
  /** The place that the program's state is read from. */
  where: 'path' | 'archive';
  path: string;
  ownerId: number;
  paused: boolean;
  firstLabel: boolean;
  settings: boolean;
  force: boolean;
  map: Mapping[];
}

export function createDraft(ownerId: number): ImportDraft {
  return createMutable<ImportDraft>({
    ...{ from: 'qbittorrent', where: 'path', path: '', ownerId, paused: false, firstLabel: false },
    ...{ settings: false, force: false, map: [] },
  });
}

const isEmpty = ({ from, to }: Mapping) => from.trim() === '' && to.trim() === '';

/** Whether each path that is named has its other. */
export function isMapComplete({ map }: ImportDraft): boolean {
  return map.every((one) => isEmpty(one) || (one.from.trim() !== '' && one.to.trim() !== ''));
}

/** `archive`: the id of what was sent; null: nothing was. */
export function bodyOf(draft: ImportDraft, archive: number | null): Omit<ImportBody, 'dry_run'> {
  const isPath = draft.where === 'path';
  return {
    ...(isPath ? { path: draft.path.trim() } : { archive }),
    ...{ from: draft.from, user_id: draft.ownerId, paused: draft.paused, settings: draft.settings },
    ...{ first_label_is_category: draft.firstLabel, force: isPath && draft.force },
    map: draft.map.filter((one) => !isEmpty(one)).map(({ from, to }) => ({ from: from.trim(), to: to.trim() })),
  };
}
