// What there is to know of a torrent at a glance, and what can be switched about it.
import { Show } from 'solid-js';
import { infoHashOf } from '../../state/row-id.js';
import { stateOf } from '../../state/torrent-state.js';
import { t } from '../../strings/index.js';
import { Progress, progressText } from '../list/parts.jsx';
import { createClock } from './clock.js';
import { createPieces } from './create-pieces.js';
import { CopyableText } from './facts.jsx';
import { hashesOf } from './hashes.js';
import { PieceMap } from './piece-map.jsx';
import { CategoryChoice, Switches, TagChoice } from './labels-and-switches.jsx';
import { MoveProgress } from './move-progress.jsx';
import { ProblemBox } from './problem-box.jsx';
import type { TabProps } from './tabs.js';
import { TimeFacts, TorrentFacts } from './torrent-facts.jsx';
import { PeerFacts, TransferFacts } from './transfer-facts.jsx';
import styles from './overview.module.css';

export function Overview(props: TabProps) {
  const torrent = () => props.torrent();
  const pieces = createPieces(torrent);
  const isMissing = () => stateOf(torrent()) === 'missing';
  const nowS = createClock();
  const hashes = () => hashesOf(infoHashOf(torrent().id), torrent().magnet);
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
        <dl class={styles['path']}>
          <CopyableText name={t('details.overview.savePath')} text={torrent().content_path || torrent().save_path} />
        </dl>
      </div>
      <div class={styles['groups']}>
        <TransferFacts torrent={props.torrent} detail={props.detail} nowS={nowS()} />
        <PeerFacts torrent={props.torrent} detail={props.detail} nowS={nowS()} />
        <TorrentFacts torrent={props.torrent} detail={props.detail} pieces={pieces()} />
        <TimeFacts torrent={props.torrent} detail={props.detail} nowS={nowS()} />
      </div>
      <dl class={styles['texts']}>
        <Show when={hashes().v1}>{(hash) => <CopyableText name={t('details.overview.hash')} text={hash()} />}</Show>
        <Show when={hashes().v2}>{(hash) => <CopyableText name={t('details.overview.hashV2')} text={hash()} />}</Show>
        <CopyableText name={t('details.overview.magnet')} text={torrent().magnet} />
        <Show when={props.detail()?.metainfo?.comment}>
          {(comment) => <CopyableText name={t('verbs.overview.comment')} text={comment()} isProse />}
        </Show>
      </dl>
    </div>
  );
}
