// What the list of torrents opens is fetched when the list is shown and the browser has nothing else to do, the likeliest
// first: then it opens at once. Other pages come when one goes there.
import { whenIdle } from '../../ui/idle.js';
import { MenuPopup } from '../../ui/menu.jsx';
import { loadToasts } from '../../ui/toasts.jsx';
import { AddDialog } from '../add/add-anywhere.jsx';
import { Panel } from '../details/details.jsx';
import { HelpSheet } from '../help/page-shortcuts.jsx';
import { loadSearchOptions } from '../list/search-box.jsx';
import { loadTorrentMenu, RemoveDialog } from '../list/torrents-page.jsx';
import { loadStatusBar } from './status-place.jsx';

export function fetchAhead(): void {
  whenIdle([
    loadStatusBar,
    MenuPopup.preload,
    loadTorrentMenu,
    Panel.preload,
    loadToasts,
    AddDialog.preload,
    RemoveDialog.preload,
    loadSearchOptions,
    HelpSheet.preload,
  ]);
}
