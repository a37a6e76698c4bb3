// Why the torrent is as slow as it is: a sentence for each reason, with what can be done about it.
import { createMemo, For, Show } from 'solid-js';
import type { QuotaUsageDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { KbpsPair } from '../../../../../shared-protocol/dto/torrents.js';
import { calendarDay, inert, rate, wholePercent } from '../../format/quantities.js';
import { limitsInForce } from '../../state/limits.js';
import { problemOf } from '../../state/torrent-state.js';
import { createFetched } from '../../state/fetched.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { createPolled } from '../../state/polled.js';
import { bottlenecksOf, type Bottleneck } from './bottlenecks.js';
import type { TabProps } from './tabs.js';
import { trackerText } from './tracker-words.js';
import styles from './bottleneck-list.module.css';
import { serverNowMs } from '../../net/server-clock.js';

const TRACKERS: ReadonlySet<unknown> = new Set(['tracker', 'unregistered']);

export function BottleneckList(props: TabProps) {
  const own = createFetched<KbpsPair>(torrentAddress(props.torrent().id, '/rate_limits'));
  const isHere = () => props.torrent().server_id === undefined;
  const account = createPolled<QuotaUsageDto>(() =>
    isHere() && props.torrent().access === 'owner' ? '/api/quota' : null,
  );
  const found = createMemo(() => {
    const stats = props.live.stats();
    return bottlenecksOf({
      torrent: props.torrent(),
      peers: props.detail()?.peers_list ?? null,
      ownLimits: own.value(),
      account: account(),
      // Those of another server are not known here.
      sharedLimits: isHere() ? limitsInForce.value() : null,
      total: { down: stats.total_download_rate, up: stats.total_upload_rate },
    }).map(sentenceOf);
  });
  const failing = () => (TRACKERS.has(problemOf(props.torrent())) ? props.torrent().tracker_error : null);
  return (
    <section class={styles['box']} aria-label={t('bottlenecks.title')}>
      <h3 class={styles['title']}>{t('bottlenecks.title')}</h3>
      <ul class={styles['list']}>
        <For each={found()} fallback={<li class="muted">{t('bottlenecks.looking')}</li>}>
          {(sentence) => <li>{sentence}</li>}
        </For>
        <Show when={failing()}>
          {(error) => (
            <li>{t('bottlenecks.tracker', { host: inert(error().host), message: trackerText(error().message) })}</li>
          )}
        </Show>
      </ul>
    </section>
  );
}

function sentenceOf(found: Bottleneck): string {
  switch (found.kind) {
    case 'queued':
      return t('bottlenecks.queued', { position: found.position });
    case 'monthUsedUp':
      return t('bottlenecks.monthUsedUp', { day: firstOfNextMonth(serverNowMs()) });
    case 'ownLimit':
    case 'accountLimit':
    case 'sharedLimit':
      return t(`bottlenecks.${found.kind}`, { limit: rate(found.limit) });
    case 'noPeers':
      return found.swarm > 0 ? t('bottlenecks.noPeersOf', { count: found.swarm }) : t('bottlenecks.noPeers');
    case 'noLeechers':
      return found.swarm > 0 ? t('bottlenecks.noLeechersOf', { count: found.swarm }) : t('bottlenecks.noLeechers');
    case 'noSeeds':
      return t('bottlenecks.noSeeds', { most: wholePercent(found.most) });
    case 'choked':
    case 'snubbed':
    case 'noneInterested':
    case 'slots':
    case 'asFastAsPeers':
    case 'asFastAsWanted':
      return t(`bottlenecks.${found.kind}`, { count: found.count });
    default:
      return t(`bottlenecks.${found.kind}`);
  }
}

/** Months of quotas are those of UTC. */
function firstOfNextMonth(nowMs: number): string {
  const now = new Date(nowMs);
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  return calendarDay(first.toISOString().slice(0, 'yyyy-mm-dd'.length));
}
