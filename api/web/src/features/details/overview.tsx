// What there is to know of a torrent at a glance, and what can be switched about it.
import { For, Show, type JSX } from 'solid-js';
import { copyText } from '../../actions/copy.js';
import { bytes, dateTime, duration, inert, percent, rate, ratio } from '../../format/quantities.js';
import { etaS } from '../../state/derived.js';
import { stateOf } from '../../state/torrent-state.js';
import { t, type TextKey } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { Progress, stateText } from '../list/parts.jsx';
import { createPieces } from './create-pieces.js';
import { PieceMap } from './piece-map.jsx';
import { CategoryChoice, Switches, TagChoice } from './labels-and-switches.jsx';
import { ProblemBox } from './problem-box.jsx';
import type { TabProps } from './tabs.js';
import styles from './overview.module.css';

export function Overview(props: TabProps) {
  const torrent = () => props.torrent();
  const pieces = createPieces(torrent);
  const isMissing = () => stateOf(torrent()) === 'missing';
  const none = t('details.overview.none');
  /** Before its metadata is there a torrent has no size. */
  const size = () => (torrent().total_bytes === 0 ? none : bytes(torrent().total_bytes));
  const timeLeft = () => (torrent().completed || torrent().paused ? none : duration(etaS(torrent())));
  return (
    <div class={styles['overview']}>
      <ProblemBox torrent={torrent()} />
      <div class={styles['progress']}>
        <span class={styles['percent']}>{isMissing() ? '–' : percent(torrent().progress)}</span>
        <div class={styles['strips']}>
          <Progress torrent={torrent()} isThin />
          <Show when={!isMissing() && pieces()}>{(known) => <PieceMap pieces={known()} />}</Show>
        </div>
      </div>
      <dl class={styles['facts']}>
        <Fact name="details.overview.state">{stateText(torrent())}</Fact>
        <Fact name="details.overview.timeLeft">{timeLeft()}</Fact>
        <Fact name="details.overview.rates">
          ↓ {rate(torrent().download_rate) || '0 B/s'} · ↑ {rate(torrent().upload_rate) || '0 B/s'}
        </Fact>
        <Fact name="details.overview.size">{size()}</Fact>
        <Fact name="details.overview.done">
          {isMissing() ? none : t('list.doneOf', { done: bytes(torrent().bytes_done), size: size() })}
        </Fact>
        <Show when={pieces()?.piece_count ? pieces() : null}>
          {(known) => (
            <Fact name="details.overview.pieceSize">
              {t('details.overview.pieceSizeText', {
                count: known().piece_count,
                size: bytes(known().piece_length),
              })}
            </Fact>
          )}
        </Show>
        <Fact name="details.overview.connections">
          {t('details.overview.connectionsText', { peers: torrent().peers, seeds: torrent().seeds })}
        </Fact>
        <Fact name="details.overview.down">{of(props.detail()?.total_down, bytes)}</Fact>
        <Fact name="details.overview.up">{of(props.detail()?.total_up, bytes)}</Fact>
        <Fact name="details.overview.ratio">{of(props.detail()?.ratio, ratio)}</Fact>
        <Fact name="details.overview.added">{dateTime(torrent().added_at)}</Fact>
        <Fact name="details.overview.completed">{of(props.detail()?.completed_at, dateTime)}</Fact>
      </dl>
      <div class={styles['choices']}>
        <CategoryChoice torrent={props.torrent} />
        <TagChoice torrent={props.torrent} />
        <Switches torrent={props.torrent} />
      </div>
      <dl class={styles['texts']}>
        <For
          each={
            [
              ['details.overview.savePath', () => torrent().save_path],
              ['details.overview.hash', () => torrent().id],
              ['details.overview.magnet', () => torrent().magnet],
            ] as const
          }
        >
          {([name, text]) => <CopyableText name={name} text={text()} />}
        </For>
      </dl>
    </div>
  );
}

/** Keeps the place of a value that has not come yet, or does not apply. */
function of(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? t('details.overview.none') : format(value);
}

function Fact(props: { readonly name: TextKey; readonly children: JSX.Element }) {
  return (
    <div>
      <dt>{t(props.name)}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function CopyableText(props: { readonly name: TextKey; readonly text: string }) {
  return (
    <div>
      <dt>{t(props.name)}</dt>
      <dd>
        <span class={styles['text']} title={inert(props.text)}>
          {inert(props.text)}
        </span>
        <button
          type="button"
          class={styles['copy']}
          aria-label={t('details.copy', { what: t(props.name) })}
          title={t('details.copy', { what: t(props.name) })}
          onClick={() => void copyText(props.text)}
        >
          <Icon name="copy" size={16} />
        </button>
      </dd>
    </div>
  );
}
