// The row above the list: adding, what is done with the selected, searching, how many there are, and how the list looks. On
// a phone it is one line all the same, so that nothing moves below the finger that selects: what is done with the selected
// while there are any, and the rest while there are none.
import { Show } from 'solid-js';
import type { Torrent } from '../../live/messages.js';
import { count } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import { Add } from '../add/add.jsx';
import { isPhone } from '../shell/phone.js';
import { useShell } from '../shell/shell.jsx';
import { SearchBox } from './search-box.jsx';
import { SelectAll } from './select-all.jsx';
import { Toolbar } from './toolbar.jsx';
import { viewMenu } from './view-menu.js';
import styles from './torrents-page.module.css';

export interface ToolsProps {
  readonly selected: readonly Torrent[];
  /** Entries for the selected, and those that are about no torrent. */
  readonly menu: readonly MenuEntry[];
  readonly onRemove: () => void;
}

export function Tools(props: ToolsProps) {
  const { live, list } = useShell();
  const chosen = () => list.selection().ids.size;
  const isSelecting = () => isPhone() && chosen() > 0;
  const words = () =>
    chosen() > (isPhone() ? 0 : 1)
      ? t('list.selected', { count: chosen() })
      : t('list.shown', { count: list.ids().length });
  return (
    <div class={styles['tools']} data-selecting={isSelecting()} style={{ '--digits': count(list.ids().length).length }}>
      <Show when={isSelecting()} fallback={<Add isShort={isPhone()} />}>
        <label class={styles['all']}>
          <SelectAll model={list} />
        </label>
      </Show>
      <Show
        when={isPhone() && !isSelecting()}
        fallback={<Toolbar selected={props.selected} menu={props.menu} onRemove={props.onRemove} />}
      >
        <MenuButton class={styles['more']!} title={t('list.more')} label={<Icon name="more" />} entries={props.menu} />
      </Show>
      <Show when={!isSelecting()}>
        <SearchBox model={list} torrents={live.torrents} />
      </Show>
      <span class={styles['count']} role="status">
        <Show when={isPhone()} fallback={words()}>
          <span aria-hidden="true">{count(isSelecting() ? chosen() : list.ids().length)}</span>
          <span class="visually-hidden">{words()}</span>
        </Show>
      </span>
      <Show
        when={isSelecting()}
        fallback={
          <MenuButton
            class={styles['more']!}
            title={t(isPhone() ? 'list.sortBy' : 'list.columns')}
            label={<Icon name={isPhone() ? 'list' : 'columns'} />}
            entries={viewMenu(list, isPhone())}
          />
        }
      >
        <Button look="quiet" aria-label={t('list.deselect')} title={t('list.deselect')} onClick={list.clearSelection}>
          <Icon name="close" />
        </Button>
      </Show>
    </div>
  );
}
