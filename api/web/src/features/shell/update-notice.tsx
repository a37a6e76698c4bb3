// Says that there is a newer release, to those who may install it, until they do or say not this one.
import { A } from '@solidjs/router';
import { Show } from 'solid-js';
import type { UpdateInfoDto } from '../../../../../shared-protocol/dto/settings.js';
import { inert } from '../../format/quantities.js';
import { createPreference } from '../../state/preferences.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import styles from './shell.module.css';

export function UpdateNotice(props: { readonly update: UpdateInfoDto | null }) {
  const [dismissed, setDismissed] = createPreference('dismissedUpdate', '', (stored) => typeof stored === 'string');
  const shown = () => {
    const info = props.update;
    const isNews = info?.available && info.latest_version !== dismissed();
    return isNews && me().role === 'admin' ? info : null;
  };
  return (
    <div role="status">
      <Show when={shown()}>
        {(info) => (
          <div class={styles['notice']}>
            <span>
              {t('update.available', {
                version: inert(info().latest_version),
                current: inert(info().current_version),
              })}
            </span>
            <A href="/settings/updates">{t('update.look')}</A>
            <Button look="quiet" onClick={() => setDismissed(info().latest_version)}>
              {t('update.dismiss')}
            </Button>
          </div>
        )}
      </Show>
    </div>
  );
}
