// What the letters of the peers' flags mean: for those who have no pointer to hold over them.
import { For } from 'solid-js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { ALL_FLAGS, meaningsOf } from './peer-order.js';
import styles from './flag-legend.module.css';

export interface FlagLegendProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function FlagLegend(props: FlagLegendProps) {
  return (
    <Dialog title={t('details.peers.flagsTitle')} size="small" isOpen={props.isOpen} onClose={props.onClose}>
      <dl class={styles['legend']}>
        <For each={meaningsOf(ALL_FLAGS)}>
          {({ letter, text }) => (
            <div>
              <dt class="mono">{letter}</dt>
              <dd>{t(text)}</dd>
            </div>
          )}
        </For>
      </dl>
    </Dialog>
  );
}
