// How much a file, or many, are wanted.
import { For, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import type { Priority } from './file-tree.js';
import styles from './files.module.css';

const PRIORITIES = ['skip', 'normal', 'high', 'max'] as const satisfies readonly Priority[];

export interface PrioritySelectProps {
  readonly label: string;
  /** null: what there is to choose for has no one priority, and it is not said which it has. */
  readonly value: Priority | 'mixed' | null;
  readonly refused: string | null;
  readonly tabIndex?: number;
  readonly onChoose: (priority: Priority) => void;
}

export function PrioritySelect(props: PrioritySelectProps) {
  const isOne = () => props.value !== null && props.value !== 'mixed';
  return (
    <select
      class={styles['priority']}
      aria-label={props.label}
      data-priority={props.value ?? undefined}
      disabled={props.refused !== null}
      title={props.refused ?? ''}
      tabindex={props.tabIndex}
      onChange={(event) => {
        const chosen = PRIORITIES.find((priority) => priority === event.currentTarget.value);
        if (!isOne()) event.currentTarget.value = '';
        if (chosen) props.onChoose(chosen);
      }}
    >
      <Show when={!isOne()}>
        <option value="" selected disabled hidden>
          {t(props.value === 'mixed' ? 'details.files.mixed' : 'details.files.setSelected')}
        </option>
      </Show>
      <For each={PRIORITIES}>
        {(priority) => (
          <option value={priority} selected={props.value === priority}>
            {t(`details.files.${priority}`)}
          </option>
        )}
      </For>
    </select>
  );
}
