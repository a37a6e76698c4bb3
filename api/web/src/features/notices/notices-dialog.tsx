// What has happened, the newest first, and how the account wants to be told. To look at it is to have read it.
import { createEffect, createSignal, For, on, Show } from 'solid-js';
import type { NoticeDto, NoticesDto } from '../../../../../shared-protocol/dto/notices.js';
import { attempt } from '../../actions/perform.js';
import { dateTime } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import type { Live } from '../../state/live.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { Icon } from '../../ui/icons.jsx';
import { canNotify, mayNotify } from './arrivals.js';
import styles from './notices.module.css';
import { isBad, KIND_ICONS, reasonOf, sentenceOf } from './words.js';
import { KINDS, WAYS, type NoticeWays } from './ways.js';

export interface NoticesDialogProps {
  readonly live: Live;
  readonly ways: NoticeWays;
  readonly onShow: (torrent: string) => void;
  readonly onClose: () => void;
}

export default function NoticesDialog(props: NoticesDialogProps) {
  const [notices, setNotices] = createSignal<readonly NoticeDto[] | null>(null);
  const [isChoosing, setIsChoosing] = createSignal(false);
  /** Notices that stand out as long as this is open. */
  const news = new Set<number>();
  const load = async () => {
    const { notices: all } = await call<NoticesDto>('GET', '/api/notices');
    const unread = all.filter(({ read }) => !read);
    for (const { id } of unread) news.add(id);
    setNotices(all);
    if (unread.length > 0) await call('POST', '/api/notices/read', { up_to: all[0]!.id });
  };
  /** With each tick: news may be faster than the list that has the torrent. */
  const isThere = (torrent: string | null) =>
    torrent !== null && props.live.torrents.changes !== null && props.live.torrents.all.has(torrent);
  const total = () => Object.values(props.live.notices()?.unread ?? {}).reduce((sum, each) => sum + each, 0);
  createEffect(
    on(
      () => [props.live.notices()?.added, total() > 0],
      () => void attempt(load),
    ),
  );
  const clear = () =>
    attempt(async () => {
      const [newest] = notices() ?? [];
      if (newest) await call('DELETE', `/api/notices?up_to=${newest.id}`);
      setNotices([]);
    });
  const remove = (id: number) =>
    attempt(async () => {
      await call('DELETE', `/api/notices/${id}`);
      setNotices((before) => before?.filter((notice) => notice.id !== id) ?? null);
    });
  return (
    <Dialog title={t('notices.title')} isOpen onClose={() => props.onClose()}>
      <div class={styles['bar']}>
        <Button look="quiet" aria-expanded={isChoosing()} onClick={() => setIsChoosing(!isChoosing())}>
          {t('notices.choose')}
        </Button>
        <Button look="quiet" disabled={!notices()?.length} onClick={() => void clear()}>
          {t('notices.clear')}
        </Button>
      </div>
      <Show when={isChoosing()}>
        <Choices ways={props.ways} />
      </Show>
      <Show when={notices()} fallback={<p>{t('notices.loading')}</p>}>
        {(all) => (
          <Show when={all().length > 0} fallback={<p class={styles['none']}>{t('notices.none')}</p>}>
            <ul class={styles['list']}>
              <For each={all()}>
                {(notice) => (
                  <Item
                    notice={notice}
                    isNew={news.has(notice.id)}
                    isThere={isThere(notice.torrent_id)}
                    onShow={props.onShow}
                    onRemove={() => void remove(notice.id)}
                  />
                )}
              </For>
            </ul>
          </Show>
        )}
      </Show>
    </Dialog>
  );
}

interface ItemProps {
  readonly notice: NoticeDto;
  readonly isNew: boolean;
  /** Whether its torrent is in the list. */
  readonly isThere: boolean;
  readonly onShow: (torrent: string) => void;
  readonly onRemove: () => void;
}

function Item(props: ItemProps) {
  const text = () => sentenceOf(props.notice);
  return (
    <li class={styles['item']} data-new={props.isNew} data-bad={isBad(props.notice)}>
      <Icon name={KIND_ICONS[props.notice.kind]} />
      <div class={styles['text']}>
        <Show when={props.isThere} fallback={<span>{text()}</span>}>
          <button type="button" class={styles['link']} onClick={() => props.onShow(props.notice.torrent_id ?? '')}>
            {text()}
          </button>
        </Show>
        <Show when={reasonOf(props.notice)}>{(reason) => <span class={styles['reason']}>{reason()}</span>}</Show>
        <time class={styles['reason']}>{dateTime(props.notice.at)}</time>
      </div>
      <Button look="quiet" aria-label={t('notices.remove', { text: text() })} onClick={() => props.onRemove()}>
        <Icon name="close" size={14} />
      </Button>
    </li>
  );
}

function Choices(props: { readonly ways: NoticeWays }) {
  const [isAllowed, setIsAllowed] = createSignal(mayNotify());
  const ask = async () => {
    await Notification.requestPermission();
    setIsAllowed(mayNotify());
  };
  return (
    <div class={styles['choices']}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('notices.kind')}</th>
            <For each={WAYS}>{(way) => <th scope="col">{t(`notices.ways.${way}`)}</th>}</For>
          </tr>
        </thead>
        <tbody>
          <For each={KINDS}>
            {(kind) => (
              <tr>
                <th scope="row">{t(`notices.kinds.${kind}`)}</th>
                <For each={WAYS}>
                  {(way) => (
                    <td>
                      <input
                        type="checkbox"
                        aria-label={`${t(`notices.kinds.${kind}`)}: ${t(`notices.ways.${way}`)}`}
                        checked={props.ways.has(kind, way)}
                        onChange={({ currentTarget }) => props.ways.set(kind, way, currentTarget.checked)}
                      />
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <Show when={!isAllowed()}>
        <Show when={canNotify()} fallback={<p class={styles['reason']}>{t('notices.needsHttps')}</p>}>
          <p>
            <Button onClick={() => void ask()}>{t('notices.allow')}</Button>
          </p>
        </Show>
      </Show>
    </div>
  );
}
