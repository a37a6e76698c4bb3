// One feed: how polling it goes, its filters, and what is in it now with a mark on what the filters let through.
import { createEffect, createMemo, createSignal, on, Show } from 'solid-js';
import type { FeedDto, FilterDto } from '../../../../../shared-protocol/dto/rss.js';
import { attempt } from '../../actions/perform.js';
import { dateTime, inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { worded } from '../../net/worded.js';
import { createFetched } from '../../state/fetched.js';
import { sessionState } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { createPreview } from './create-preview.js';
import { deleteSoon, isDeleted } from './deletions.js';
import { Filters } from './filters.jsx';
import { ItemList } from './item-list.jsx';
import { createItems, createPollState } from './loading.js';
import { relativeTime } from './when.js';
import type { Titles } from './preview.js';
import styles from './feeds.module.css';

export interface FeedViewProps {
  readonly feed: FeedDto;
  /** Why the account may not change it. */
  readonly refused: string | null;
  readonly onBack: () => void;
  readonly onEdit: (feed: FeedDto) => void;
  readonly onChanged: () => Promise<void>;
}

export function FeedView(props: FeedViewProps) {
  const id = props.feed.id;
  const filters = createFetched<readonly FilterDto[]>(`/api/feeds/${id}/filters`);
  const isManager = () => props.refused === null;
  // A memo: who is signed in is told anew more often than it changes.
  const managedId = createMemo(() => (isManager() ? id : null));
  const { items, isFetching, fetchAgain } = createItems(managedId);
  const poll = createPollState(managedId, () => void props.onChanged());
  /** The patterns in the form of a filter; null when none is open. */
  const [typed, setTyped] = createSignal<Titles | null>(null);
  const shownFilters = createMemo(() => filters.value()?.filter((filter) => !isDeleted(`/api/filters/${filter.id}`)));
  const enabledFilters = createMemo(() => (shownFilters() ?? []).filter(({ enabled }) => enabled));
  const previewed = createMemo((): readonly Titles[] => {
    const now = typed();
    return now === null ? enabledFilters() : [now];
  });
  const titles = createMemo(() => {
    const now = items();
    return now.kind === 'fetched' ? now.items.map(({ title }) => title) : [];
  });
  const preview = createPreview(previewed, titles);

  const isSignedIn = createMemo(() => sessionState().kind === 'signedIn');
  createEffect(on(isSignedIn, (is) => is && void fetchAgain(), { defer: true }));

  const lastError = () => worded(poll.state()?.last_error ?? '', poll.state()?.last_reason ?? {});
  /** Whether what its items failed of is told above them. */
  const isTold = () => {
    const now = items();
    return now.kind === 'failed' && now.reason === lastError();
  };
  const setEnabled = async (enabled: boolean) => {
    await attempt(() => call('PUT', '/api/feeds', { ...props.feed, enabled }));
    await Promise.all([props.onChanged(), poll.look()]);
  };
  return (
    <section class={styles['view']} aria-label={inert(props.feed.name)}>
      <Button look="quiet" class={styles['back']} onClick={() => props.onBack()}>
        ‹ {t('feeds.all')}
      </Button>
      <header class={styles['viewHead']}>
        <div class={styles['names']}>
          <h2>{inert(props.feed.name)}</h2>
          <p class={styles['url']}>{inert(props.feed.url)}</p>
          <p class="muted">
            <PollTimes feed={props.feed} nextPoll={poll.state()?.next_poll ?? 0} nowMs={poll.nowMs()} />
            <Show when={poll.state()?.added}>{(count) => <> · {t('feeds.added', { count: count() })}</>}</Show>
          </p>
        </div>
        <Show when={isManager()}>
          <div class={styles['viewButtons']}>
            <label class={styles['check']}>
              <input
                type="checkbox"
                checked={props.feed.enabled}
                onChange={(event) => void setEnabled(event.currentTarget.checked)}
              />
              {t('feeds.enable')}
            </label>
            <Button onClick={() => props.onEdit(props.feed)}>{t('feeds.edit')}</Button>
            <Button
              onClick={() =>
                deleteSoon(`/api/feeds/${id}`, t('feeds.deleted', { name: inert(props.feed.name) }), props.onChanged)
              }
            >
              {t('feeds.delete')}
            </Button>
          </div>
        </Show>
      </header>
      <Show when={lastError()}>
        {(reason) => (
          <p class={styles['trouble']} role="status">
            <strong>
              {poll.state()!.failures > 0 ? t('feeds.failing', { count: poll.state()!.failures }) : t('feeds.partly')}:
            </strong>{' '}
            {inert(reason())}
          </p>
        )}
      </Show>
      <div class={styles['parts']}>
        <Filters
          feedId={id}
          filters={shownFilters()}
          error={filters.error()}
          refused={props.refused}
          preview={preview()}
          itemCount={items().kind === 'fetched' ? titles().length : null}
          onTyped={setTyped}
          onChanged={filters.reload}
        />
        <Show when={isManager()} fallback={<p class="muted">{t('feeds.items.refused')}</p>}>
          <ItemList
            items={items()}
            isTold={isTold()}
            isFetching={isFetching()}
            preview={preview()}
            filters={typed() === null ? enabledFilters() : []}
            onFetch={() => void fetchAgain()}
          />
        </Show>
      </div>
    </section>
  );
}

function PollTimes(props: { readonly feed: FeedDto; readonly nextPoll: number; readonly nowMs: number }) {
  const next = () => {
    if (!props.feed.enabled) return t('feeds.disabled');
    if (props.nextPoll === 0) return null;
    const isDue = props.nextPoll * 1_000 <= props.nowMs;
    return isDue ? t('feeds.nextNow') : t('feeds.next', { when: relativeTime(props.nextPoll, props.nowMs) });
  };
  return (
    <>
      <Show when={props.feed.last_polled} fallback={t(props.feed.failing ? 'feeds.neverWell' : 'feeds.never')}>
        {(at) => <span title={dateTime(at())}>{t('feeds.polled', { when: relativeTime(at(), props.nowMs) })}</span>}
      </Show>
      <Show when={next()}>{(text) => <> · {text()}</>}</Show>
    </>
  );
}
