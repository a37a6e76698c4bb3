// An address that leads nowhere.
import { A } from '@solidjs/router';
import { t } from '../../strings/index.js';
import styles from './shell.module.css';

export default function NotFound() {
  return (
    <div class={styles['nowhere']}>
      <h1>{t('app.notFound')}</h1>
      <A href="/">{t('app.toTorrents')}</A>
    </div>
  );
}
