// What a webhook's receiver gets and has to answer, for who writes one.
import { t } from '../../strings/index.js';
import { SAMPLE } from './sample.js';
import styles from './webhooks.module.css';

export function MessageSample() {
  return (
    <details class={styles['sample']}>
      <summary>{t('webhooks.sample.title')}</summary>
      <p>{t('webhooks.sample.body')}</p>
      {/* Wider than a phone: by key it is scrolled once it has the focus. */}
      <pre tabindex="0" role="region" aria-label={t('webhooks.sample.title')}>
        <code>{JSON.stringify(SAMPLE, null, 2)}</code>
      </pre>
      <p>{t('webhooks.sample.signature')}</p>
      <p>{t('webhooks.sample.answer')}</p>
    </details>
  );
}
