// What is in a feed now. What the pattern, or else the filters, let through is marked; each can be added by hand.
import { createMemo, createSignal, For, Match, Show, Switch } from 'solid-js';
import type { FeedItemDto, FilterDto } from '../../../../../shared-protocol/dto/rss.js';
import { inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { useShell } from '../shell/shell.jsx';
import { Item } from './item.jsx';
import type { Items } from './loading.js';
import type { Preview } from './preview.js';
import styles from './feeds.module.css';

/** More at once would take long to lay out; feeds may have thousands. */
const SHOWN = 200;
const NONE: ReadonlyMap<number, number> = new Map();

export interface ItemListProps {
  readonly items: Items;
  /** Whether why they could not be fetched is told elsewhere. */
  readonly isTold: boolean;
  readonly isFetching: boolean;
  readonly preview: Preview | null;
  /** The filters whose patterns were looked for; empty when it was another. */
  readonly filters: readonly FilterDto[];
  readonly onFetch: () => void;
}

export function ItemList(props: ItemListProps) {
  const [onlyMatching, setOnlyMatching] = createSignal(false);
  const [search, setSearch] = createSignal('');
  const [limit, setLimit] = createSignal(SHOWN);
  const fetched = createMemo(() => (props.items.kind === 'fetched' ? props.items.items : []));
  const matching = () => (props.preview?.kind === 'matched' ? props.preview.byTitle : NONE);
  const numbered = createMemo(() => fetched().map((item, index) => ({ item, index })));
  const words = createMemo(() => search().toLowerCase().split(/\s+/).filter(Boolean));
  const shown = createMemo(() =>
    numbered().filter(({ item, index }) => {
      const title = item.title.toLowerCase();
      return (!onlyMatching() || matching().has(index)) && words().every((word) => title.includes(word));
    }),
  );
  const { live } = useShell();
  /** Knows the torrents of magnets: what other links lead to is not known before it is fetched. */
  const isThere = ({ torrent_url }: FeedItemDto) => {
    const hash = /^magnet:.*\burn:btih:([0-9a-f]{40})\b/i.exec(torrent_url)?.[1];
    return hash !== undefined && live.torrents.changes !== null && live.torrents.all.has(hash.toLowerCase());
  };
  return (
    <section class={styles['part']} aria-label={t('feeds.items.title')} aria-busy={props.isFetching}>
      <div class={styles['partHead']}>
        <h3>{t('feeds.items.title')}</h3>
        <Button refused={props.isFetching ? t('feeds.items.fetching') : null} onClick={() => props.onFetch()}>
          {t('feeds.items.fetch')}
        </Button>
      </div>
      <Show when={fetched().length > 0}>
        <div class={styles['partHead']}>
          <input
            type="search"
            class={styles['search']}
            placeholder={t('feeds.items.search')}
            aria-label={t('feeds.items.search')}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <label class={styles['check']}>
            <input
              type="checkbox"
              checked={onlyMatching()}
              onChange={(event) => setOnlyMatching(event.currentTarget.checked)}
            />
            {t('feeds.items.onlyMatching')}
          </label>
          <Show when={props.preview?.kind === 'matched'}>
            <span class={styles['count']}>
              {t('feeds.preview.count', { matching: matching().size, count: fetched().length })}
            </span>
          </Show>
        </div>
      </Show>
      <Switch>
        <Match when={props.items.kind === 'failed' && props.items}>
          {(failed) => (
            <Show when={!props.isTold}>
              <p role="alert" class={styles['error']}>
                {inert(failed().reason)}
              </p>
            </Show>
          )}
        </Match>
        <Match when={props.items.kind === 'fetching'}>
          <div role="status" class={styles['late']}>
            <p class="muted">{t('feeds.items.fetching')}</p>
            <div class={styles['progress']} />
          </div>
        </Match>
        <Match when={fetched().length === 0}>
          <p class="muted">{t('feeds.items.none')}</p>
        </Match>
        <Match when={shown().length === 0}>
          <p class="muted">{t('feeds.items.noneMatch')}</p>
        </Match>
      </Switch>
      <ul class={styles['items']}>
        <For each={shown().slice(0, limit())}>
          {({ item, index }) => (
            <Item
              item={item}
              isMatch={matching().has(index)}
              isThere={isThere(item)}
              filter={props.filters[matching().get(index) ?? -1] ?? null}
            />
          )}
        </For>
      </ul>
      <Show when={shown().length > limit()}>
        <Button onClick={() => setLimit(limit() + SHOWN)}>
          {t('feeds.items.more', { count: Math.min(SHOWN, shown().length - limit()) })}
        </Button>
      </Show>
    </section>
  );
}
