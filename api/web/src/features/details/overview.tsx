// What there is to know of a torrent at a glance, and what can be switched about it.
import { Show, type JSX } from 'solid-js';
import type { WasteDto } from '../../../../../shared-protocol/dto/inspector.js';
import { copyText } from '../../actions/copy.js';
import { bytes, dateTime, duration, inert, rate, ratio } from '../../format/quantities.js';
import { activeS, etaS, seedingS } from '../../state/derived.js';
import { infoHashOf } from '../../state/row-id.js';
import { stateOf } from '../../state/torrent-state.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { Progress, progressText, stateText } from '../list/parts.jsx';
import { createClock } from './clock.js';
import { createPieces } from './create-pieces.js';
import { PieceMap } from './piece-map.jsx';
import { CategoryChoice, Switches, TagChoice } from './labels-and-switches.jsx';
import { MoveProgress } from './move-progress.jsx';
import { ProblemBox } from './problem-box.jsx';
import type { TabProps } from './tabs.js';
import styles from './overview.module.css';

export function Overview(props: TabProps) {
  const torrent = () => props.torrent();
  const pieces = createPieces(torrent);
  const metainfo = () => props.detail()?.metainfo;
  const tracker = () => torrent().trackerHosts[0];
  const isMissing = () => stateOf(torrent()) === 'missing';
  const none = t('details.overview.none');
  /** Before its metadata is there a torrent has no size. */
  const size = () => (torrent().total_bytes === 0 ? none : bytes(torrent().total_bytes));
  const clock = createClock();
  const nowMs = () => clock() * 1_000;
  const timeLeft = () => (torrent().completed || torrent().paused ? none : duration(etaS(torrent())));
  return (
    <div class={styles['overview']}>
      <ProblemBox torrent={torrent()} />
      <MoveProgress torrent={props.torrent} />
      <div class={styles['progress']}>
        <span class={styles['percent']}>{isMissing() ? '–' : progressText(torrent())}</span>
        <div class={styles['strips']}>
          <Show when={!isMissing() && pieces()} fallback={<Progress torrent={torrent()} isThin />}>
            {(known) => <PieceMap pieces={known()} copies={torrent().availability} />}
          </Show>
        </div>
      </div>
      <div class={styles['choices']}>
        <CategoryChoice torrent={props.torrent} />
        <TagChoice torrent={props.torrent} />
        <Switches torrent={props.torrent} />
      </div>
      <dl class={styles['texts']}>
        <CopyableText name={t('details.overview.savePath')} text={torrent().content_path || torrent().save_path} />
      </dl>
      <dl class={styles['facts']}>
        <Fact name={t('details.overview.state')}>{stateText(torrent())}</Fact>
        <Fact name={t('details.overview.timeLeft')}>{timeLeft()}</Fact>
        <Fact name={t('details.overview.rates')}>
          ↓ {rate(torrent().download_rate) || '0 B/s'} · ↑ {rate(torrent().upload_rate) || '0 B/s'}
        </Fact>
        <Fact name={t('details.overview.size')}>{size()}</Fact>
        <Fact name={t('details.overview.done')}>
          {isMissing() ? none : t('list.doneOf', { done: bytes(torrent().bytes_done), size: size() })}
        </Fact>
        <Show when={pieces()?.piece_count ? pieces() : null}>
          {(known) => (
            <Fact name={t('details.overview.pieceSize')}>
              {t('details.overview.pieceSizeText', {
                count: known().piece_count,
                size: bytes(known().piece_length),
              })}
            </Fact>
          )}
        </Show>
        <Fact name={t('details.overview.connections')}>
          {t('details.overview.connectionsText', { peers: torrent().peers, count: torrent().seeds })}
        </Fact>
        <Fact name={t('details.overview.down')}>{of(props.detail()?.total_down ?? torrent().total_down, bytes)}</Fact>
        <Fact name={t('verbs.overview.wasted')} help={t('verbs.overview.wastedHelp')}>
          {wasted(props.detail()?.waste)}
        </Fact>
        <Fact name={t('details.overview.up')}>{of(props.detail()?.total_up ?? torrent().total_up, bytes)}</Fact>
        <Fact name={t('details.overview.ratio')}>{of(props.detail()?.ratio ?? torrent().ratio, ratio)}</Fact>
        <Fact name={t('details.overview.added')}>{dateTime(torrent().added_at)}</Fact>
        <Fact name={t('details.overview.completed')}>
          {of(props.detail()?.completed_at ?? torrent().completed_at ?? undefined, dateTime)}
        </Fact>
        <Fact name={t('list.lastActivity')}>{of(torrent().last_activity_at || undefined, dateTime)}</Fact>
        <Fact name={t('list.activeTime')}>{of(activeS(torrent(), nowMs()) || undefined, duration)}</Fact>
        <Fact name={t('list.seedingTime')}>{of(seedingS(torrent(), nowMs()) || undefined, duration)}</Fact>
        <Show when={tracker()}>{(host) => <Fact name={t('verbs.overview.tracker')}>{inert(host())}</Fact>}</Show>
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
        <Show when={metainfo()?.source}>
          {(from) => <Fact name={t('verbs.overview.source')}>{inert(from())}</Fact>}
        </Show>
      </dl>
      <dl class={styles['texts']}>
        <CopyableText name={t('details.overview.hash')} text={infoHashOf(torrent().id)} />
        <CopyableText name={t('details.overview.magnet')} text={torrent().magnet} />
        <Show when={props.detail()?.metainfo?.comment}>
          {(comment) => <CopyableText name={t('verbs.overview.comment')} text={comment()} />}
        </Show>
      </dl>
    </div>
  );
}

/** Keeps the place of a value that has not come yet, or does not apply. */
function of(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? t('details.overview.none') : format(value);
}

/** Bytes that came for nothing, and how many pieces failed. */
function wasted(waste: WasteDto | undefined): string {
  if (!waste) return t('details.overview.none');
  const sum = bytes(waste.failed_bytes + waste.redundant_bytes);
  if (waste.failed_pieces === 0) return sum;
  return t('verbs.overview.wastedText', { size: sum, count: waste.failed_pieces });
}

/** `help` is shown where a mouse rests, and read aloud. */
function Fact(props: { readonly name: string; readonly help?: string; readonly children: JSX.Element }) {
  return (
    <div title={props.help}>
      <dt>
        {props.name}
        <Show when={props.help}>
          <span class="visually-hidden">: {props.help}</span>
        </Show>
      </dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function CopyableText(props: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <span class={styles['text']} title={inert(props.text)}>
          {inert(props.text)}
        </span>
        <button
          type="button"
          class={styles['copy']}
          aria-label={t('details.copy', { what: props.name })}
          title={t('details.copy', { what: props.name })}
          onClick={() => void copyText(props.text)}
        >
          <Icon name="copy" size={16} />
        </button>
      </dd>
    </div>
  );
}
