// How a backup is restored, which no page can do: it is done where no Swarmd runs yet.
import { t } from '../../strings/index.js';
import { Section } from '../settings/section.jsx';
import styles from './backups.module.css';

export function RestoreSection() {
  return (
    <Section isWide title={t('backups.restore.title')}>
      <p class={styles['prose']}>{t('backups.restore.how')}</p>
      <p>
        <code class={styles['command']}>{t('backups.restore.command')}</code>
      </p>
      <p class={`muted ${styles['prose']}`}>{t('backups.restore.paths')}</p>
    </Section>
  );
}
