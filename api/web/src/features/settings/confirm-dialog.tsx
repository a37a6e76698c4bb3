// Asks once before something that cannot be taken back.
import { Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import styles from './form.module.css';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  /** @default Cancel */
  readonly cancel?: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog size="small" title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <Show when={props.text}>
        <p>{props.text}</p>
      </Show>
      <div class={styles['buttons']}>
        <Button onClick={() => props.onClose()}>{props.cancel ?? t('common.cancel')}</Button>
        <Button look="danger" onClick={() => props.onConfirm()}>
          {props.confirm}
        </Button>
      </div>
    </Dialog>
  );
}
