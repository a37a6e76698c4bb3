// All settings, one page for each kind: a list of them at the side, a choice above on a phone.
import { A, useNavigate, useParams } from '@solidjs/router';
import { createMemo, For, Show, Suspense } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { t } from '../../strings/index.js';
import { PAGES, type Page } from './pages.js';
import styles from './settings.module.css';

export default function SettingsPage() {
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
      <div class={styles['body']}>
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
