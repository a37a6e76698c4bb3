// On phones: the pages, where the thumb is.
import { A } from '@solidjs/router';
import { For } from 'solid-js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import type { ListModel } from '../list/list-model.js';
import { addressOf, PAGES } from './pages.js';
import styles from './bottom-bar.module.css';

export function BottomBar(props: { readonly model: ListModel; readonly isInert: boolean }) {
  return (
    <nav class={styles['bar']} aria-label={t('bar.pages')} inert={props.isInert}>
      <For each={PAGES}>
        {({ path, icon, title }) => (
          <A
            href={addressOf(path, props.model)}
            end={path === '/'}
            class={styles['page']}
            activeClass={styles['current']!}
          >
            <Icon name={icon} size={20} />
            {t(`side.${title}`)}
          </A>
        )}
      </For>
    </nav>
  );
}
