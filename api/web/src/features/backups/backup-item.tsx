// One backup in the list: when it was made, its size and name, and what can be done with it.
import { Show } from 'solid-js';
import type { BackupDto } from '../../../../../shared-protocol/dto/backups.js';
import { bytes, dateTime } from '../../format/quantities.js';
import { atBase } from '../../net/base.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import buttons from '../../ui/button.module.css';
import lists from '../settings/item-list.module.css';
import styles from './backups.module.css';
import { BACKUPS_PATH } from './watch-backups.js';

export interface BackupItemProps {
  readonly backup: BackupDto;
  readonly onDelete: () => void;
}

export function BackupItem(props: BackupItemProps) {
  const name = () => props.backup.name;
  return (
    <li class={lists['item']}>
      <div class={lists['words']}>
        <span class={lists['head']}>
          <strong>{dateTime(props.backup.created_at)}</strong>
          <span>{bytes(props.backup.size)}</span>
          <Show when={props.backup.automatic}>
            <span class={lists['mark']}>{t('backups.automatic')}</span>
          </Show>
        </span>
        <span class="muted">{name()}</span>
      </div>
      <div class={lists['tools']}>
        <a
          class={`${buttons['button']} ${styles['download']}`}
          href={atBase(`${BACKUPS_PATH}/${name()}`)}
          download={name()}
          aria-label={t('backups.downloadOf', { name: name() })}
        >
          {t('backups.download')}
        </a>
        <Button aria-label={t('backups.deleteOf', { name: name() })} onClick={() => props.onDelete()}>
          {t('backups.delete')}
        </Button>
      </div>
    </li>
  );
}
