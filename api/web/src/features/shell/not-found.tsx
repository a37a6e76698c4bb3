// An address that leads nowhere.
import { A } from '@solidjs/router';
import { t } from '../../strings/index.js';

export default function NotFound() {
  return (
    <p>
      {t('app.notFound')} <A href="/">{t('side.torrents')}</A>
    </p>
  );
}
