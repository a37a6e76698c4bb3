// What can be done with the selected torrents, as a menu. A mark means that it holds for all of them.
import * as actions from '../../actions/torrents.js';
import { refusedToEdit, refusedToOwn } from '../../actions/permitted.js';
import { copyText } from '../../actions/copy.js';
import type { Torrent } from '../../live/messages.js';
import { categories, tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import type { MenuEntry } from '../../ui/menu.jsx';

export interface TorrentMenuDeps {
  readonly open: (id: string) => void;
  readonly askToRemove: (torrents: readonly Torrent[]) => void;
}

export function torrentMenu(torrents: readonly Torrent[], deps: TorrentMenuDeps): readonly MenuEntry[] {
  const first = torrents[0];
  if (!first) return [];
  const ids = torrents.map(({ id }) => id);
  const refused = refusedToEdit(torrents);
  const all = (holds: (torrent: Torrent) => boolean) => torrents.every(holds);
  const isForced = all(({ force_start }) => force_start);
  const isSequential = all(({ sequential }) => sequential);
  return [
    { label: t('menu.resume'), refused, keys: 'r', run: () => void actions.resume(torrents) },
    { label: t('menu.pause'), refused, keys: 'p', run: () => void actions.pause(torrents) },
    {
      label: t('menu.forceStart'),
      refused,
      isChosen: isForced,
      run: () => void actions.setForceStart(torrents, !isForced),
    },
    'separator',
    { label: t('menu.details'), keys: t('keys.enter'), run: () => deps.open(first.id) },
    { label: t('menu.category'), children: categoryMenu(torrents, refused) },
    { label: t('menu.tags'), children: tagMenu(torrents, refused) },
    { label: t('menu.queue'), children: queueMenu(torrents, refused) },
    {
      label: t('menu.sequential'),
      refused,
      isChosen: isSequential,
      run: () => void actions.setSequential(torrents, !isSequential),
    },
    { label: t('menu.recheck'), refused, run: () => void actions.recheck(torrents) },
    {
      label: t('menu.copy'),
      children: [
        { label: t('menu.copyMagnet'), run: () => void copyText(torrents.map(({ magnet }) => magnet).join('\n')) },
        { label: t('menu.copyName'), run: () => void copyText(torrents.map(({ name }) => name).join('\n')) },
        { label: t('menu.copyHash'), run: () => void copyText(ids.join('\n')) },
      ],
    },
    'separator',
    {
      label: t('menu.remove'),
      keys: t('keys.delete'),
      isDangerous: true,
      refused: refusedToOwn(torrents),
      run: () => deps.askToRemove(torrents),
    },
  ];
}

function categoryMenu(torrents: readonly Torrent[], refused: string | null): readonly MenuEntry[] {
  const entry = (label: string, categoryId: number | null): MenuEntry => ({
    label,
    refused,
    isChosen: torrents.every(({ category_id }) => category_id === categoryId),
    run: () => void actions.setCategory(torrents, categoryId),
  });
  return [entry(t('filter.noCategory'), null), ...(categories.value() ?? []).map(({ name, id }) => entry(name, id))];
}

function tagMenu(torrents: readonly Torrent[], refused: string | null): readonly MenuEntry[] {
  const all = tags.value() ?? [];
  if (all.length === 0) return [{ label: t('menu.noTags'), refused: t('menu.noTagsHow') }];
  return all.map(({ id: tagId, name }) => {
    const isOn = torrents.every((torrent) => torrent.tags.some(({ id }) => id === tagId));
    return { label: name, refused, isChosen: isOn, run: () => void actions.setTag(torrents, tagId, !isOn) };
  });
}

function queueMenu(torrents: readonly Torrent[], refused: string | null): readonly MenuEntry[] {
  const entry = (label: string, run: () => void, keys?: string): MenuEntry => ({
    label,
    refused,
    run,
    ...(keys ? { keys } : {}),
  });
  return [
    entry(t('menu.queueTop'), () => void actions.moveInQueue(torrents, 'top')),
    entry(t('menu.queueUp'), () => stepInQueue(torrents, -1), t('keys.queueUp')),
    entry(t('menu.queueDown'), () => stepInQueue(torrents, 1), t('keys.queueDown')),
    entry(t('menu.queueBottom'), () => void actions.moveInQueue(torrents, 'bottom')),
  ];
}

/** Together, behind or before the one that is next to the first of them. */
export function stepInQueue(torrents: readonly Torrent[], by: 1 | -1): void {
  const first = Math.min(...torrents.map(({ queue_position }) => queue_position));
  if (torrents.length > 0) void actions.moveInQueue(torrents, Math.max(first + by, 0));
}
