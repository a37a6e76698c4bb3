// All settings, one page for each kind: a list of them at the side, a choice above on a phone; and a search over all.
import { A, useNavigate, useParams } from '@solidjs/router';
import { createMemo, createSignal, For, Show, Suspense } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { t } from '../../strings/index.js';
import { onDemand } from '../../ui/on-demand.jsx';
import { offerShortcuts } from '../help/keyboard.js';
import { PAGES, type Page } from './pages.js';
import { reveal } from './reveal.js';
import type { Found } from './search-index.js';
import type { SearchResultsProps } from './search-results.jsx';
import styles from './settings.module.css';

const SearchResults = onDemand<SearchResultsProps>(
  [
    'accounts',
    'automations',
    'backups',
    'bans',
    'engines',
    'handlers',
    'imports',
    'labels',
    'options',
    'quotas',
    'servers',
    'webhooks',
  ],
  () => import('./search-results.jsx'),
);

export default function SettingsPage() {
  let body!: HTMLDivElement;
  let input!: HTMLInputElement;
  const [query, setQuery] = createSignal('');
  offerShortcuts({ search: () => input.select() });
  const chosen = ({ label }: Found) => {
    setQuery('');
    if (label) reveal(body, label);
  };
  const params = useParams<{ readonly page?: string }>();
  const navigate = useNavigate();
  const shown = () => PAGES.filter((page) => page.isShown());
  const page = createMemo((): Page | undefined => {
    const asked = params.page;
    return asked === undefined ? PAGES[0] : shown().find(({ id }) => id === asked);
  });
  const go = (select: HTMLSelectElement) => {
    navigate(`/settings/${select.value}`);
    // Unsaved changes may have held it back.
    select.value = page()?.id ?? '';
  };
  return (
    <div class={styles['settings']}>
      <nav class={styles['pages']} aria-label={t('settings.pages.title')}>
        <For each={shown()}>
          {({ id }) => (
            <A
              href={`/settings/${id}`}
              class={styles['page']}
              activeClass=""
              inactiveClass=""
              aria-current={page()?.id === id ? 'page' : undefined}
            >
              {t(`settings.pages.${id}`)}
            </A>
          )}
        </For>
      </nav>
      <div ref={body} class={styles['body']}>
        <input
          ref={input}
          type="search"
          class={styles['search']}
          aria-label={t('settings.search.label')}
          aria-keyshortcuts="/"
          placeholder={t('settings.search.label')}
          autocomplete="off"
          spellcheck={false}
          value={query()}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
        />
        <Show when={query().trim() !== ''}>
          <SearchResults query={query()} onChosen={chosen} />
        </Show>
        <select
          class={styles['choice']}
          aria-label={t('settings.pages.title')}
          value={page()?.id ?? ''}
          onChange={(event) => go(event.currentTarget)}
        >
          <For each={shown()}>{({ id }) => <option value={id}>{t(`settings.pages.${id}`)}</option>}</For>
        </select>
        <Show when={page()} keyed fallback={<p>{t('app.notFound')}</p>}>
          {({ id, component }) => (
            <>
              <h1 class={styles['title']}>{t(`settings.pages.${id}`)}</h1>
              <Suspense>
                <Dynamic component={component} />
              </Suspense>
            </>
          )}
        </Show>
      </div>
    </div>
  );
}
