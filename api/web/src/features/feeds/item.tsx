// One item of a feed, and adding it by hand: where to, the filter says that would have added it by itself.
import { createSignal, Show } from 'solid-js';
import type { FeedItemDto, FilterDto } from '../../../../../shared-protocol/dto/rss.js';
import type { AddedByUrlDto } from '../../../../../shared-protocol/dto/torrents.js';
import { attempt } from '../../actions/perform.js';
import { bytes, dateTime, inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import styles from './feeds.module.css';

export interface ItemProps {
  readonly item: FeedItemDto;
  readonly isMatch: boolean;
  /** Whether its torrent is in the list. */
  readonly isThere: boolean;
  /** The first of the filters that lets it through; null when none does. */
  readonly filter: FilterDto | null;
}

export function Item(props: ItemProps) {
  const [state, setState] = createSignal<'idle' | 'adding' | 'added' | 'existed'>('idle');
  const title = () => inert(props.item.title) || t('feeds.items.untitled');
  const refused = () => {
    if (props.item.torrent_url === '') return t('feeds.items.noLink');
    if (state() === 'adding') return t('feeds.items.adding');
    return may('perm_add_torrents') ? null : t('permission.add');
  };
  const hint = () =>
    props.filter
      ? t('feeds.items.addAs', { title: title(), pattern: inert(props.filter.regex) })
      : t('feeds.items.add', { title: title() });
  const add = async () => {
    setState('adding');
    const beginning = props.filter && { category_id: props.filter.category_id, save_path: props.filter.save_path };
    const answer = await attempt(() =>
      call<AddedByUrlDto>('POST', '/api/torrents/url', { url: props.item.torrent_url, ...beginning }),
    );
    setState(answer ? (answer.existed ? 'existed' : 'added') : 'idle');
  };
  const details = () => {
    const { published_at, pub_date, size } = props.item;
    const when = published_at ? dateTime(published_at) : pub_date;
    return [when, size ? bytes(size) : ''].filter(Boolean).join(' · ');
  };
  const done = () => {
    const now = state();
    return now === 'added' || now === 'existed' ? now : null;
  };
  return (
    <li class={styles['item']} data-match={props.isMatch}>
      <span class={styles['mark']}>
        <Show when={props.isMatch}>
          <span aria-hidden="true">✓</span>
          <span class="visually-hidden">{t('feeds.items.matches')}</span>
        </Show>
      </span>
      <span class={styles['itemTitle']}>
        <bdi>{title()}</bdi>
        <span class="muted">{details()}</span>
        <Show when={state() === 'idle' && (props.isThere || props.item.added)}>
          <span class={styles['known']}>{t(props.isThere ? 'feeds.items.there' : 'feeds.items.addedBefore')}</span>
        </Show>
      </span>
      <Show
        when={done()}
        fallback={
          <Button
            look="quiet"
            aria-label={t('feeds.items.add', { title: title() })}
            title={hint()}
            refused={refused()}
            onClick={() => void add()}
          >
            <Icon name="add" />
          </Button>
        }
      >
        {(how) => (
          <span class={styles['added']} role="status">
            {t(`feeds.items.${how()}`)}
          </span>
        )}
      </Show>
    </li>
  );
}
