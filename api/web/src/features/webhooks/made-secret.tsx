// The secret of a webhook that has just been made, which is shown this once.
import { onMount } from 'solid-js';
import type { MadeWebhookDto } from '../../../../../shared-protocol/dto/webhooks.js';
import { copyText } from '../../actions/copy.js';
import { inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import lists from '../accounts/accounts.module.css';
import styles from './webhooks.module.css';

export interface MadeSecretProps {
  readonly webhook: MadeWebhookDto;
  readonly onDone: () => void;
}

export function MadeSecret(props: MadeSecretProps) {
  let shown!: HTMLInputElement;
  onMount(() => {
    shown.focus();
    shown.select();
  });
  const title = () => t('webhooks.secret.title', { url: inert(props.webhook.url) });
  return (
    <div class={lists['made']} role="group" aria-label={title()}>
      <p class={styles['secretOf']}>{title()}</p>
      <p>
        <strong>{t('webhooks.secret.once')}</strong> {t('webhooks.secret.about')}
      </p>
      <div class={lists['keyLine']}>
        <input
          ref={shown}
          class="mono"
          readOnly
          aria-label={title()}
          value={props.webhook.secret}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button look="primary" onClick={() => void copyText(props.webhook.secret)}>
          {t('webhooks.secret.copy')}
        </Button>
        <Button onClick={() => props.onDone()}>{t('webhooks.secret.done')}</Button>
      </div>
      <p class="muted">{t('webhooks.secret.lost')}</p>
    </div>
  );
}
