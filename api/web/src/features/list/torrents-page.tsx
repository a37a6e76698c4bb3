// The list with its tools, and what to do when there is nothing in it.
import { createEffect, createMemo, createSignal, Match, onMount, Show, Switch } from 'solid-js';
import { refusedToEdit, refusedToOwn } from '../../actions/permitted.js';
import { pause, resume, stepInQueue } from '../../actions/torrents.js';
import type { Torrent } from '../../live/messages.js';
import { NO_FILTER } from '../../state/filter.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { ContextArea } from '../../ui/menu.jsx';
import { loadWithTexts, onDemand } from '../../ui/on-demand.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { offerShortcuts } from '../help/keyboard.js';
import { useShell } from '../shell/shell.jsx';
import { Add } from '../add/add.jsx';
import { Details } from '../details/details.jsx';
import { FilterChips } from './filter-chips.jsx';
import { restoreFilterInUrl } from './filter-in-url.js';
import { List } from './list.jsx';
import { isPhone } from '../shell/phone.js';
import { OtherWays } from './other-ways.jsx';
import { VerbHost } from '../verbs/verb-host.jsx';
import type * as Menus from './torrent-menu.js';
import { Toolbar } from './toolbar.jsx';
import { Tools } from './tools.jsx';
import styles from './torrents-page.module.css';

// Large, and nothing that the list needs to be shown.
const [menus, setMenus] = createSignal<typeof Menus | null>(null);

/** Loads the menu of torrents, if it is not there. */
export async function loadTorrentMenu(): Promise<void> {
  if (menus()) return;
  setMenus(await loadWithTexts(['verbs'], () => import('./torrent-menu.js')));
}

export const RemoveDialog = onDemand([], () => import('./remove-dialog.jsx'));

export function TorrentsPage() {
  const { live, list } = useShell();
  onMount(() => restoreFilterInUrl(list));
  const [toRemove, setToRemove] = createSignal<readonly Torrent[]>([]);
  const selected = createMemo(() => {
    // Again with each tick: what may be done depends on what they do.
    void live.torrents.changes;
    return [...list.selection().ids].flatMap((id) => live.torrents.all.get(id) ?? []);
  });
  const chosen = () => list.selection().ids.size;
  const isEmpty = () => live.stats().total_torrents + live.torrents.all.size + list.ids().length === 0;
  const isNoneMatching = () => live.torrents.isLoaded && !isEmpty() && list.ids().length === 0;
  createEffect(() => (chosen() > 0 || list.opened() !== null) && void loadTorrentMenu());
  const deps = { open: list.open, askToRemove: setToRemove };
  const menuOf = (torrents: readonly Torrent[]) => menus()?.torrentMenu(torrents, deps) ?? [];
  const onRemoved = () => {
    list.clearSelection();
    // It is there for as long as it can be undone.
    if (toRemove().some(({ id }) => id === list.opened())) list.open(null);
  };
  /** Says why not, instead. */
  const unlessRefused = (refused: string | null, act: () => void) => {
    if (refused) showNote({ look: 'bad', text: refused });
    else if (selected().length > 0) act();
  };
  const edit = (act: () => void) => () => unlessRefused(refusedToEdit(selected()), act);
  offerShortcuts({
    pause: edit(() => void pause(selected())),
    resume: edit(() => void resume(selected())),
    remove: () => unlessRefused(refusedToOwn(selected()), () => setToRemove(selected())),
    queueUp: edit(() => stepInQueue(selected(), -1)),
    queueDown: edit(() => stepInQueue(selected(), 1)),
  });
  return (
    <>
      <h1 class="visually-hidden">{t('list.title')}</h1>
      <Tools
        selected={selected()}
        menu={menus()?.toolsMenu(selected(), deps) ?? []}
        onRemove={() => setToRemove(selected())}
      />
      <FilterChips model={list} isClearable={!isNoneMatching()} />
      <div class={styles['split']}>
        <Switch
          fallback={
            <ContextArea class={styles['area']} entries={menuOf(selected())}>
              <List torrents={live.torrents} model={list} isNarrow={isPhone()} />
            </ContextArea>
          }
        >
          <Match when={!live.torrents.isLoaded}>
            <p class={styles['empty']}>{t('app.connecting')}</p>
          </Match>
          <Match when={isEmpty()}>
            <div class={styles['empty']}>
              <h2>{t('list.emptyTitle')}</h2>
              <p>{t('list.emptyHow')}</p>
              <div>
                <Add />
              </div>
              <OtherWays />
            </div>
          </Match>
          <Match when={isNoneMatching()}>
            <div class={styles['empty']}>
              <p>{t('list.noneMatch')}</p>
              <div>
                <Button onClick={() => list.setFilter(NO_FILTER)}>{t('filter.clear')}</Button>
              </div>
            </div>
          </Match>
        </Switch>
        <Show when={list.opened()}>
          {(id) => (
            <Details
              shell={{ live, list }}
              id={id()}
              tools={(torrent) => (
                <Toolbar selected={[torrent()]} menu={menuOf([torrent()])} onRemove={() => setToRemove([torrent()])} />
              )}
            />
          )}
        </Show>
      </div>
      <VerbHost />
      <Show when={toRemove().length > 0}>
        <RemoveDialog torrents={toRemove()} onRemoved={onRemoved} onClose={() => setToRemove([])} />
      </Show>
    </>
  );
}
