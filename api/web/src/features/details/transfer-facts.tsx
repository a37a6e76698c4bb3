// What a torrent has transferred and transfers now, with whom, and when its trackers are asked again.
import { Show } from 'solid-js';
import type { WasteDto } from '../../../../../shared-protocol/dto/inspector.js';
import { availability, bytes, count, duration, rate, ratio, shortDuration } from '../../format/quantities.js';
import { etaS, remainingBytes } from '../../state/derived.js';
import { stateOf } from '../../state/torrent-state.js';
import { t } from '../../strings/index.js';
import { stateText } from '../list/parts.jsx';
import { Fact, FactGroup, shown } from './facts.jsx';
import { averageRates, nextAnnounceS } from './overview-figures.js';
import type { TabProps } from './tabs.js';

const KIB = 1024;

type Facts = Pick<TabProps, 'torrent' | 'detail'> & { readonly nowS: number };

export function TransferFacts(props: Facts) {
  const torrent = () => props.torrent();
  const none = t('details.overview.none');
  const isMissing = () => stateOf(torrent()) === 'missing';
  const total = (direction: 'total_down' | 'total_up') => props.detail()?.[direction] ?? torrent()[direction];
  const timeLeft = () => (torrent().completed || torrent().paused ? none : duration(etaS(torrent())));
  const averages = () => averageRates(torrent(), props.nowS * 1_000);
  const speed = (now: number, average: number | null, limit: number) => {
    const parts = [shownRate(now)];
    if (average !== null) parts.push(t('details.overview.average', { rate: shownRate(average) }));
    if (limit > 0) parts.push(t('details.overview.limit', { rate: shownRate(limit * KIB) }));
    return parts.join(' · ');
  };
  return (
    <FactGroup title={t('details.overview.transfer')}>
      <Fact name={t('details.overview.state')}>{stateText(torrent())}</Fact>
      <Fact name={t('details.overview.timeLeft')}>{timeLeft()}</Fact>
      <Fact name={t('details.overview.downSpeed')}>
        {speed(torrent().download_rate, averages().down, torrent().rate_limits?.down_kbps ?? 0)}
      </Fact>
      <Fact name={t('details.overview.upSpeed')}>
        {speed(torrent().upload_rate, averages().up, torrent().rate_limits?.up_kbps ?? 0)}
      </Fact>
      <Fact name={t('details.overview.down')}>{bytes(total('total_down'))}</Fact>
      <Fact name={t('details.overview.up')}>{bytes(total('total_up'))}</Fact>
      <Fact name={t('details.overview.ratio')}>{ratio(props.detail()?.ratio ?? torrent().ratio)}</Fact>
      <Fact name={t('verbs.overview.wasted')} help={t('verbs.overview.wastedHelp')}>
        {wasted(props.detail()?.waste)}
      </Fact>
      <Show when={!isMissing() && !torrent().completed && torrent().total_bytes > 0}>
        <Fact name={t('details.overview.remaining')}>{bytes(remainingBytes(torrent()))}</Fact>
      </Show>
    </FactGroup>
  );
}

export function PeerFacts(props: Facts) {
  const torrent = () => props.torrent();
  return (
    <FactGroup title={t('details.overview.connections')}>
      <Fact name={t('details.overview.connected')}>
        {t('details.overview.connectionsText', { peers: torrent().peers, count: torrent().seeds })}
      </Fact>
      <Show when={torrent().swarm_seeds >= 0}>
        <Fact name={t('details.overview.swarm')}>
          {t('details.overview.swarmText', {
            seeds: count(torrent().swarm_seeds),
            peers: count(Math.max(0, torrent().swarm_leechers)),
          })}
        </Fact>
      </Show>
      <Show when={torrent().availability !== null}>
        <Fact name={t('details.overview.availability')}>{availability(torrent().availability ?? 0)}</Fact>
      </Show>
      <Fact name={t('details.overview.reannounce')}>
        {shown(nextAnnounceS(props.detail()?.trackers, props.nowS), (inS) =>
          inS === 0 ? t('details.trackers.now') : t('details.trackers.in', { time: shortDuration(inS) }),
        )}
      </Fact>
    </FactGroup>
  );
}

function shownRate(bytesPerSecond: number): string {
  return rate(bytesPerSecond) || '0 B/s';
}

/** Bytes that came for nothing, and how many pieces failed. */
function wasted(waste: WasteDto | undefined): string {
  if (!waste) return t('details.overview.none');
  const sum = bytes(waste.failed_bytes + waste.redundant_bytes);
  if (waste.failed_pieces === 0) return sum;
  return t('verbs.overview.wastedText', { size: sum, count: waste.failed_pieces });
}
