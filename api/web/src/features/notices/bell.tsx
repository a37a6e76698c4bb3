// The bell: how much there is that was not read yet, and the way to it. What it opens, and what shows news at the edge of the
// page, comes when it is needed.
import { useNavigate } from '@solidjs/router';
import { createEffect, createSignal, on, Show, untrack } from 'solid-js';
import type { Live } from '../../state/live.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { loadWithTexts, onDemand } from '../../ui/on-demand.jsx';
import { LIST_PATH } from '../list/filter-in-url.js';
import type { ListModel } from '../list/list-model.js';
import { NO_FILTER } from '../../state/filter.js';
import styles from './bell.module.css';
import { createNoticeWays } from './ways.js';

/** More digits would not fit beside the bell. */
const MOST_SHOWN = 99;

const NoticesDialog = onDemand(['notices'], () => import('./notices-dialog.jsx'));

export function Bell(props: { readonly live: Live; readonly model: ListModel }) {
  const navigate = useNavigate();
  const ways = createNoticeWays();
  const [isOpen, setIsOpen] = createSignal(false);
  const count = () => ways.unread(props.live.notices()?.unread ?? {});
  const label = () => (count() === 0 ? t('bar.notices') : t('bar.noticesUnread', { count: count() }));
  /** A torrent that is to be shown: news of it may be faster than the list that has it. */
  const [wanted, want] = createSignal<string | null>(null);
  const show = (torrent: string) => {
    setIsOpen(false);
    want(torrent);
  };
  createEffect(() => {
    const torrent = wanted();
    const { live, model } = props;
    if (torrent === null || !live.torrents.changes || !live.torrents.all.has(torrent)) return;
    want(null);
    untrack(() => {
      navigate(LIST_PATH);
      if (!model.ids().includes(torrent)) model.setFilter(NO_FILTER);
      model.select(torrent, 'replace');
      model.open(torrent);
    });
  });
  createEffect(
    on(
      () => props.live.notices(),
      (changed) => {
        if (!changed || changed.added.length === 0) return;
        const load = loadWithTexts(['notices'], () => import('./arrivals.js'));
        // Without the server nothing can be shown; the bell counts it all the same.
        void load.then(
          ({ showArrivals }) => showArrivals(changed.added, { ways, show }),
          () => undefined,
        );
      },
    ),
  );
  return (
    <>
      <Button
        look="quiet"
        class={styles['bell']}
        aria-label={label()}
        title={label()}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="bell" />
        <Show when={count() > 0}>
          <span class={styles['count']} aria-hidden="true">
            {count() > MOST_SHOWN ? `${MOST_SHOWN}+` : count()}
          </span>
        </Show>
      </Button>
      <Show when={isOpen()}>
        <NoticesDialog live={props.live} ways={ways} onShow={show} onClose={() => setIsOpen(false)} />
      </Show>
    </>
  );
}
