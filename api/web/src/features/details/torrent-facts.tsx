// What a torrent is, and when what became of it.
import { Show } from 'solid-js';
import type { PiecesDto } from '../../../../../shared-protocol/dto/inspector.js';
import { bytes, dateTime, duration, inert } from '../../format/quantities.js';
import { activeS, seedingS } from '../../state/derived.js';
import { stateOf } from '../../state/torrent-state.js';
import { t } from '../../strings/index.js';
import { Fact, FactGroup, shown } from './facts.jsx';
import type { TabProps } from './tabs.js';

type Facts = Pick<TabProps, 'torrent' | 'detail'>;

export function TimeFacts(props: Facts & { readonly nowS: number }) {
  const torrent = () => props.torrent();
  const nowMs = () => props.nowS * 1_000;
  return (
    <FactGroup title={t('details.overview.times')}>
      <Fact name={t('details.overview.added')}>{dateTime(torrent().added_at)}</Fact>
      <Fact name={t('details.overview.completed')}>
        {shown(props.detail()?.completed_at ?? torrent().completed_at ?? undefined, dateTime)}
      </Fact>
      <Fact name={t('list.lastActivity')}>{shown(torrent().last_activity_at || undefined, dateTime)}</Fact>
      <Fact name={t('list.activeTime')}>{shown(activeS(torrent(), nowMs()) || undefined, duration)}</Fact>
      <Fact name={t('list.seedingTime')}>{shown(seedingS(torrent(), nowMs()) || undefined, duration)}</Fact>
    </FactGroup>
  );
}

export function TorrentFacts(props: Facts & { readonly pieces: PiecesDto | null }) {
  const torrent = () => props.torrent();
  const metainfo = () => props.detail()?.metainfo;
  const none = t('details.overview.none');
  /** Before its metadata is there a torrent has no size. */
  const size = () => (torrent().total_bytes === 0 ? none : bytes(torrent().total_bytes));
  const done = () => {
    if (stateOf(torrent()) === 'missing') return none;
    return t('list.doneOf', { done: bytes(torrent().bytes_done), size: size() });
  };
  return (
    <FactGroup title={t('details.overview.torrent')}>
      <Fact name={t('details.overview.size')}>{size()}</Fact>
      <Fact name={t('details.overview.done')}>{done()}</Fact>
      <Show when={props.pieces?.piece_count ? props.pieces : null}>
        {(known) => (
          <Fact name={t('details.overview.pieceSize')}>
            {t('details.overview.pieceSizeText', { count: known().piece_count, size: bytes(known().piece_length) })}
          </Fact>
        )}
      </Show>
      <Show when={torrent().trackerHosts[0]}>
        {(host) => <Fact name={t('verbs.overview.tracker')}>{inert(host())}</Fact>}
      </Show>
      <Show when={props.detail()?.engine}>
        {(engine) => <Fact name={t('verbs.overview.engine')}>{inert(engine())}</Fact>}
      </Show>
      <Fact name={t('verbs.overview.private')}>
        {t(torrent().private ? 'verbs.overview.yes' : 'verbs.overview.no')}
      </Fact>
      <Show when={metainfo()?.created_by}>
        {(by) => <Fact name={t('verbs.overview.createdBy')}>{inert(by())}</Fact>}
      </Show>
      <Show when={metainfo()?.created_at}>
        {(at) => <Fact name={t('verbs.overview.createdOn')}>{dateTime(at())}</Fact>}
      </Show>
      <Show when={metainfo()?.source}>{(from) => <Fact name={t('verbs.overview.source')}>{inert(from())}</Fact>}</Show>
    </FactGroup>
  );
}
