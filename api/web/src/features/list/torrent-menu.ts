// What can be done with the selected torrents, as a menu. A mark means that it holds for all of them. Comes with its texts
// when there is something to select.
import { announceNow } from '../../actions/announce.js';
import { copyText } from '../../actions/copy.js';
import { download, exportTorrents } from '../../actions/download.js';
import { refusedToEdit, refusedToOwn } from '../../actions/permitted.js';
import * as actions from '../../actions/torrents.js';
import { inert } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { branchesOf } from '../../state/category-tree.js';
import { areOfCategory, categories, haveTag, tags } from '../../state/labels.js';
import { infoHashOf } from '../../state/row-id.js';
import { seenServers } from '../../state/servers.js';
import { may } from '../../state/session.js';
import { openVerb, type VerbName } from '../../state/verb.js';
import { t } from '../../strings/index.js';
import type { MenuEntry, MenuItem } from '../../ui/menu.jsx';
import { doAndTell } from '../verbs/tell-done.js';

export interface TorrentMenuDeps {
  readonly open: (id: string) => void;
  readonly askToRemove: (torrents: readonly Torrent[]) => void;
}

/** The menu of the tools row: what is about no torrent is there whether one is selected or not. */
export function toolsMenu(torrents: readonly Torrent[], deps: TorrentMenuDeps): readonly MenuEntry[] {
  return torrents.length === 0 ? general() : [...torrentMenu(torrents, deps), 'separator', ...general()];
}

/** Without torrents: what is about none. */
export function torrentMenu(torrents: readonly Torrent[], deps: TorrentMenuDeps): readonly MenuEntry[] {
  const first = torrents[0];
  if (!first) return general();
  const refused = refusedToEdit(torrents);
  const all = (holds: (torrent: Torrent) => boolean) => torrents.every(holds);
  const isForced = all(({ force_start }) => force_start);
  const isSequential = all(({ sequential }) => sequential);
  const window = (label: string, name: VerbName, why = refused): MenuItem => {
    return { label, refused: why, run: () => openVerb(name, torrents) };
  };
  const elsewhere = refusedElsewhere(torrents);
  const forOne = torrents.length > 1 ? t('verbs.menu.one') : null;
  return [
    ...startAndStop(torrents, refused),
    {
      label: t('menu.forceStart'),
      refused,
      isChosen: isForced,
      run: () => void actions.setForceStart(torrents, !isForced),
    },
    'separator',
    { label: t('menu.details'), keys: t('keys.enter'), run: () => deps.open(first.id) },
    window(t('verbs.menu.move'), 'move'),
    window(t('verbs.menu.rename'), 'rename', refused ?? forOne),
    { label: t('menu.category'), children: categoryMenu(torrents, refused) },
    { label: t('menu.tags'), children: tagMenu(torrents, refused) },
    window(
      t('verbs.menu.share'),
      'share',
      refusedToOwn(torrents) ?? elsewhere ?? (may('perm_share') ? null : t('permission.share')),
    ),
    ...(seenServers().length > 0
      ? [window(t('verbs.menu.toServer'), 'toServer', refusedToOwn(torrents) ?? refusedToMove())]
      : []),
    'separator',
    { label: t('menu.queue'), children: queueMenu(torrents, refused) },
    window(t('verbs.menu.limits'), 'limits'),
    window(t('verbs.menu.seeding'), 'seeding'),
    {
      label: t('menu.sequential'),
      refused,
      isChosen: isSequential,
      run: () => void actions.setSequential(torrents, !isSequential),
    },
    {
      label: t('verbs.menu.firstLast'),
      children: onOff((enabled) => void doAndTell(torrents, { action: 'first_last_first', enabled }), refused),
    },
    {
      label: t('verbs.menu.superSeeding'),
      children: onOff((enabled) => void doAndTell(torrents, { action: 'super_seeding', enabled }), refused),
    },
    'separator',
    { label: t('menu.recheck'), refused, run: () => void actions.recheck(torrents) },
    { label: t('verbs.menu.announce'), refused, run: () => void announceNow(torrents) },
    window(t('verbs.menu.trackers'), 'trackers'),
    window(t('verbs.menu.addPeers'), 'addPeers'),
    'separator',
    { label: t('menu.copy'), children: copyMenu(torrents) },
    { label: t('verbs.menu.download'), children: downloadMenu(torrents, forOne) },
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

/** The reason against what other servers are not asked for. */
function refusedElsewhere(torrents: readonly Torrent[]): string | null {
  return torrents.some(({ server_id }) => server_id !== undefined) ? t('verbs.menu.elsewhere') : null;
}

function refusedToMove(): string | null {
  return may('perm_add_torrents') ? null : t('permission.add');
}

function general(): readonly MenuEntry[] {
  return [
    {
      label: t('verbs.menu.create'),
      refused: may('perm_add_torrents') ? null : t('permission.add'),
      run: () => openVerb('create'),
    },
    { label: t('verbs.menu.replaceTrackers'), run: () => openVerb('replaceTrackers') },
  ];
}

/** One that has stopped by an error, or waits for its turn, can be resumed as one that is paused can. */
function startAndStop(torrents: readonly Torrent[], refused: string | null): readonly MenuEntry[] {
  const canResume = torrents.some(({ paused, error, files_missing }) => paused || error !== null || files_missing);
  const canPause = torrents.some(({ paused }) => !paused);
  return [
    ...(canResume ? [{ label: t('menu.resume'), refused, keys: 'r', run: () => void actions.resume(torrents) }] : []),
    ...(canPause ? [{ label: t('menu.pause'), refused, keys: 'p', run: () => void actions.pause(torrents) }] : []),
  ];
}

function onOff(set: (isOn: boolean) => void, refused: string | null): readonly MenuEntry[] {
  return [
    { label: t('verbs.menu.on'), refused, run: () => set(true) },
    { label: t('verbs.menu.off'), refused, run: () => set(false) },
  ];
}

function categoryMenu(torrents: readonly Torrent[], refused: string | null): readonly MenuEntry[] {
  const entry = (label: string, categoryId: number | null, color = ''): MenuItem => ({
    label,
    refused,
    color,
    isChosen: areOfCategory(torrents, categoryId),
    run: () => void actions.setCategory(torrents, categoryId),
  });
  return [
    entry(t('filter.noCategory'), null),
    ...branchesOf(categories.value() ?? [], false).flatMap(({ title, depth, category }) =>
      category ? { ...entry(inert(title), category.id, category.color), depth, fullLabel: inert(category.name) } : [],
    ),
    'separator',
    newLabel(t('verbs.menu.newCategory'), 'newCategory', torrents, refused),
  ];
}

function tagMenu(torrents: readonly Torrent[], refused: string | null): readonly MenuEntry[] {
  const entries = (tags.value() ?? []).map(({ id: tagId, name, color }): MenuEntry => {
    const isChosen = haveTag(torrents, tagId);
    const run = () => void actions.setTag(torrents, tagId, !isChosen);
    return { label: inert(name), refused, color, isChosen, run };
  });
  const separator = entries.length > 0 ? (['separator'] as const) : [];
  return [...entries, ...separator, newLabel(t('verbs.menu.newTag'), 'newTag', torrents, refused)];
}

function newLabel(label: string, name: VerbName, torrents: readonly Torrent[], refused: string | null): MenuItem {
  const why = refused ?? (may('perm_manage_cat_tags') ? null : t('permission.labels'));
  return { label, refused: why, run: () => openVerb(name, torrents) };
}

function copyMenu(torrents: readonly Torrent[]): readonly MenuEntry[] {
  const entry = (label: string, of: (torrent: Torrent) => string): MenuItem => {
    return { label, run: () => void copyText(torrents.map(of).filter(Boolean).join('\n')) };
  };
  const hasPath = torrents.some((torrent) => pathOf(torrent) !== '');
  return [
    entry(t('menu.copyName'), ({ name }) => name),
    entry(t('menu.copyMagnet'), ({ magnet }) => magnet),
    entry(t('menu.copyHash'), ({ id }) => infoHashOf(id)),
    { ...entry(t('verbs.menu.copyPath'), pathOf), refused: hasPath ? null : t('verbs.menu.noPath') },
  ];
}

/** Before its metadata is there it has no path of its own. */
function pathOf({ content_path, save_path }: Torrent): string {
  return content_path || save_path;
}

function downloadMenu(torrents: readonly Torrent[], forOne: string | null): readonly MenuEntry[] {
  const unknown = torrents.some(({ total_bytes }) => total_bytes === 0) ? t('verbs.menu.noMetadata') : null;
  const elsewhere = refusedElsewhere(torrents);
  const id = torrents[0]?.id ?? '';
  return [
    {
      label: t('verbs.menu.exportFile'),
      refused: refusedToEdit(torrents) ?? elsewhere ?? unknown,
      run: () => void exportTorrents(torrents),
    },
    {
      label: t('verbs.menu.zip'),
      refused: forOne ?? elsewhere ?? unknown,
      run: () => download(`/api/torrents/${id}/zip`),
    },
    { label: t('verbs.menu.links'), refused: forOne ?? elsewhere ?? unknown, run: () => openVerb('links', torrents) },
  ];
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
    entry(t('menu.queueUp'), () => actions.stepInQueue(torrents, -1), t('keys.queueUp')),
    entry(t('menu.queueDown'), () => actions.stepInQueue(torrents, 1), t('keys.queueDown')),
    entry(t('menu.queueBottom'), () => void actions.moveInQueue(torrents, 'bottom')),
  ];
}
