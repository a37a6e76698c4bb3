// Feeds, what is in them, and which of it is added by itself. Which feed is shown is in the address; on phones the list
// and the feed take turns.
import { useSearchParams } from '@solidjs/router';
import { createEffect, createMemo, createSignal, For, Match, Show, Switch } from 'solid-js';
import type { FeedDto } from '../../../../../shared-protocol/dto/rss.js';
import { inert } from '../../format/quantities.js';
import { createFetched } from '../../state/fetched.js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { isPhone } from '../shell/phone.js';
import { isDeleted } from './deletions.js';
import { FeedDialog, type FeedDraft } from './feed-dialog.jsx';
import { FeedView } from './feed-view.jsx';
import styles from './feeds.module.css';

export default function FeedsPage() {
  const feeds = createFetched<readonly FeedDto[]>('/api/feeds');
  const [params, setParams] = useSearchParams<{ feed: string }>();
  const [draft, setDraft] = createSignal<FeedDraft | null>(null);
  const shown = createMemo(() => feeds.value()?.filter(({ id }) => !isDeleted(`/api/feeds/${id}`)) ?? []);
  const named = () => (params.feed === undefined ? null : Number(params.feed));
  const chosen = createMemo(() => {
    const id = named();
    if (id === null) return isPhone() ? undefined : shown()[0];
    return shown().find((feed) => feed.id === id);
  });
  createEffect(() => {
    // Deleted, here or elsewhere.
    if (feeds.value() && named() !== null && !chosen()) setParams({ feed: null }, { replace: true });
  });
  const refused = () => (may('perm_manage_rss') ? null : t('permission.feeds'));
  const addButton = () => (
    <Button look="primary" refused={refused()} onClick={() => setDraft('new')}>
      <Icon name="add" /> {t('feeds.add')}
    </Button>
  );
  const saved = async (id: number) => {
    await feeds.reload();
    setParams({ feed: String(id) });
  };
  return (
    <div class={styles['page']} data-chosen={named() !== null}>
      <Switch>
        <Match when={feeds.error() && !feeds.value()}>
          <p role="alert" class={styles['empty']}>
            {feeds.error()}
          </p>
        </Match>
        <Match when={!feeds.value()}>
          <p class={`${styles['empty']} ${styles['late']}`}>{t('feeds.loading')}</p>
        </Match>
        <Match when={shown().length === 0}>
          <div class={styles['empty']}>
            <h1>{t('feeds.emptyTitle')}</h1>
            <p>{t(refused() ? 'feeds.emptyForOthers' : 'feeds.emptyHow')}</p>
            {addButton()}
          </div>
        </Match>
        <Match when={true}>
          <section class={styles['list']} aria-label={t('feeds.title')}>
            <div class={styles['listHead']}>
              <h1>{t('feeds.title')}</h1>
              {addButton()}
            </div>
            <ul>
              <For each={shown()}>
                {(feed) => (
                  <li>
                    <button
                      type="button"
                      class={styles['feed']}
                      aria-current={chosen()?.id === feed.id ? 'true' : undefined}
                      onClick={() => setParams({ feed: String(feed.id) })}
                    >
                      <Icon name="feed" />
                      <span class={styles['feedName']}>{inert(feed.name)}</span>
                      <Show when={feed.enabled && feed.failing}>
                        <span class={styles['failing']} title={t('feeds.failing', { count: 1 })}>
                          <span aria-hidden="true">!</span>
                          <span class="visually-hidden">{t('feeds.failing', { count: 1 })}</span>
                        </span>
                      </Show>
                      <Show when={!feed.enabled}>
                        <span class={styles['badge']}>{t('feeds.disabled')}</span>
                      </Show>
                    </button>
                  </li>
                )}
              </For>
            </ul>
          </section>
          {/* By id: the feed is a new object with each look, and what is typed into its filters stays. */}
          <Show when={chosen()?.id} keyed>
            {(id) => (
              <FeedView
                feed={shown().find((feed) => feed.id === id) ?? chosen()!}
                refused={refused()}
                onBack={() => setParams({ feed: null })}
                onEdit={setDraft}
                onChanged={feeds.reload}
              />
            )}
          </Show>
        </Match>
      </Switch>
      <FeedDialog draft={draft()} onClose={() => setDraft(null)} onSaved={saved} />
    </div>
  );
}
