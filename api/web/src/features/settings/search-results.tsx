// The settings that a search finds, each a link to its field.
import { A } from '@solidjs/router';
import { createMemo, For, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { searchSettings, type Found } from './search-index.js';
import styles from './settings.module.css';

export interface SearchResultsProps {
  readonly query: string;
  readonly onChosen: (found: Found) => void;
}

export default function SearchResults(props: SearchResultsProps) {
  const found = createMemo(() => searchSettings(props.query));
  return (
    <div role="status" class={styles['found']}>
      <Show when={found().length > 0} fallback={<p class="muted">{t('settings.search.none')}</p>}>
        <ul aria-label={t('settings.search.found')}>
          <For each={found()}>
            {(one) => (
              <li>
                <A href={`/settings/${one.page}`} onClick={() => props.onChosen(one)}>
                  {one.label ?? t(`settings.pages.${one.page}`)}
                </A>
                <Show when={one.label}>
                  <span class="muted">{t(`settings.pages.${one.page}`)}</span>
                </Show>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  );
}
