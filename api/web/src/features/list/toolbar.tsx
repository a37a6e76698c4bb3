// What is done most with the selected torrents, and the whole menu for those who have no right mouse button.
import { pause, resume } from '../../actions/torrents.js';
import { refusedToEdit, refusedToOwn } from '../../actions/permitted.js';
import type { Torrent } from '../../live/messages.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import styles from './torrents-page.module.css';

export interface ToolbarProps {
  readonly selected: readonly Torrent[];
  readonly menu: readonly MenuEntry[];
  readonly onRemove: () => void;
}

export function Toolbar(props: ToolbarProps) {
  const none = () => (props.selected.length === 0 ? t('list.selectFirst') : null);
  return (
    <div class={styles['toolbar']} role="toolbar" aria-label={t('list.actions')}>
      <Button
        look="quiet"
        aria-label={t('menu.resume')}
        title={t('menu.resume')}
        refused={none() ?? refusedToEdit(props.selected)}
        onClick={() => void resume(props.selected)}
      >
        <Icon name="resume" />
      </Button>
      <Button
        look="quiet"
        aria-label={t('menu.pause')}
        title={t('menu.pause')}
        refused={none() ?? refusedToEdit(props.selected)}
        onClick={() => void pause(props.selected)}
      >
        <Icon name="pause" />
      </Button>
      <Button
        look="quiet"
        aria-label={t('menu.remove')}
        title={t('menu.remove')}
        refused={none() ?? refusedToOwn(props.selected)}
        onClick={() => props.onRemove()}
      >
        <Icon name="remove" />
      </Button>
      <MenuButton class={styles['more']} title={t('list.more')} label={<Icon name="more" />} entries={props.menu} />
    </div>
  );
}
