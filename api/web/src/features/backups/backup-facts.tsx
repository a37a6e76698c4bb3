// Where backups lie on the server, and how often they are made by themselves, as it was started.
import type { BackupsDto } from '../../../../../shared-protocol/dto/backups.js';
import { inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import styles from './backups.module.css';

export function BackupFacts(props: { readonly backups: BackupsDto }) {
  return (
    <dl class={styles['facts']}>
      <dt>{t('backups.schedule')}</dt>
      <dd>{scheduleWords(props.backups)}</dd>
      <dt>{t('backups.folder')}</dt>
      <dd>{inert(props.backups.path)}</dd>
    </dl>
  );
}

function scheduleWords({ every_hours, keep }: BackupsDto): string {
  if (every_hours === 0) return t('backups.never');
  return `${t('backups.every', { count: every_hours })} ${t('backups.keep', { count: keep })}`;
}
