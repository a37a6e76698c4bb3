// The box that selects all torrents that are shown, or none: in the head of the table, and above cards while any is selected.
import { createEffect } from 'solid-js';
import { t } from '../../strings/index.js';
import type { ListModel } from './list-model.js';
import styles from './list.module.css';

export function SelectAll(props: { readonly model: ListModel }) {
  const count = () => props.model.selection().ids.size;
  const isAll = () => count() > 0 && count() >= props.model.ids().length;
  let input!: HTMLInputElement;
  createEffect(() => (input.indeterminate = count() > 0 && !isAll()));
  return (
    <input
      ref={input}
      class={styles['box']}
      type="checkbox"
      aria-label={t('list.selectAll')}
      checked={isAll()}
      onChange={(event) => {
        if (event.currentTarget.checked) props.model.selectAll();
        else props.model.clearSelection();
      }}
    />
  );
}
