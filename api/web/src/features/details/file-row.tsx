// A file or a folder of the tree.
import { createEffect, Show } from 'solid-js';
import { bytes, inert, percent } from '../../format/quantities.js';
import type { Extension } from '../../state/selection.js';
import { t } from '../../strings/index.js';
import type { Priority, TreeNode } from './file-tree.js';
import { PrioritySelect } from './priority-select.jsx';
import styles from './files.module.css';

/** Deeper ones would leave no room for the name. */
const MAX_INDENTS = 8;

export interface FileRowProps {
  readonly id: string;
  readonly node: TreeNode;
  readonly index: number;
  readonly topPx: number;
  /** Told of the row whenever it has another place: by its `data-index`. */
  readonly measure: (row: HTMLElement) => void;
  readonly size: number;
  readonly progress: number;
  readonly priority: Priority | 'mixed';
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly isCursor: boolean;
  readonly refused: string | null;
  readonly onToggle: () => void;
  readonly onPress: (how: Extension) => void;
  readonly onChoose: (priority: Priority) => void;
}

export function FileRow(props: FileRowProps) {
  const { node } = props;
  const isFolder = node.file === -1;
  const name = inert(node.name);
  let row!: HTMLDivElement;
  createEffect(() => {
    void props.index;
    props.measure(row);
  });
  return (
    <div
      ref={row}
      id={props.id}
      class={styles['row']}
      role="row"
      aria-rowindex={props.index + 2}
      aria-level={node.depth + 1}
      aria-expanded={isFolder ? props.isOpen : undefined}
      aria-selected={props.isSelected}
      data-index={props.index}
      data-cursor={props.isCursor}
      data-skipped={props.priority === 'skip'}
      style={{ transform: `translateY(${props.topPx}px)`, '--depth': Math.min(node.depth, MAX_INDENTS) }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('select, button')) return;
        props.onPress(event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'replace');
      }}
      onDblClick={() => isFolder && props.onToggle()}
    >
      <span role="gridcell" class={styles['name']}>
        <Show when={isFolder} fallback={<span class={styles['leaf']} />}>
          <button
            type="button"
            class={styles['fold']}
            tabindex="-1"
            aria-hidden="true"
            data-open={props.isOpen}
            onClick={() => props.onToggle()}
          >
            ›
          </button>
        </Show>
        <span class={styles['text']} title={name}>
          {name}
        </span>
      </span>
      <span role="gridcell" class={styles['size']}>
        {bytes(props.size)}
      </span>
      <span role="gridcell" class={styles['done']}>
        <span class={styles['track']}>
          <span class={styles['fill']} style={{ width: `${props.progress * 100}%` }} />
        </span>
        <span>{percent(props.progress)}</span>
      </span>
      <span role="gridcell" class={styles['wanted']}>
        <PrioritySelect
          label={t('details.files.priorityOf', { name })}
          value={props.priority}
          refused={props.refused}
          tabIndex={props.isCursor ? 0 : -1}
          onChoose={props.onChoose}
        />
      </span>
    </div>
  );
}
