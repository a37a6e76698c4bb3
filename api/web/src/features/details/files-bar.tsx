// Above the tree of files: the filter, what is selected and its priority, and all folders at once.
import { Show, type JSX } from 'solid-js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import type { TreeView } from './create-tree-view.js';
import type { Priority } from './file-tree.js';
import { PrioritySelect } from './priority-select.jsx';
import panel from './panel.module.css';
import styles from './files.module.css';

export interface FilesBarProps {
  readonly view: TreeView;
  readonly fileCount: number;
  readonly refused: string | null;
  /** For the selected. */
  readonly onChoose: (priority: Priority) => void;
  /** Buttons for the one under the cursor. */
  readonly verbs: JSX.Element;
}

export function FilesBar(props: FilesBarProps) {
  const { view } = props;
  const selectedCount = () => view.selectedFiles().length;
  return (
    <div class={panel['bar']}>
      <input
        type="search"
        aria-label={t('details.files.filter')}
        placeholder={t('details.files.filter')}
        onInput={(event) => view.setFilter(event.currentTarget.value)}
        on:keydown={(event) => {
          // The first Escape empties it, the next closes the panel.
          if (event.key === 'Escape' && view.filter() !== '') event.stopPropagation();
        }}
      />
      <Show
        when={selectedCount() > 1}
        fallback={<span class="muted">{t('details.files.count', { count: props.fileCount })}</span>}
      >
        <span class="muted">{t('details.files.selected', { count: selectedCount() })}</span>
        <PrioritySelect
          label={t('details.files.priorityOfSelected')}
          value={null}
          refused={props.refused}
          onChoose={props.onChoose}
        />
      </Show>
      <span class={panel['space']} />
      {props.verbs}
      <Show when={view.hasFolders}>
        <Button look="quiet" class={styles['foldAll']} onClick={view.openAll}>
          {t('details.files.open')}
        </Button>
        <Button look="quiet" class={styles['foldAll']} onClick={view.closeAll}>
          {t('details.files.close')}
        </Button>
      </Show>
    </div>
  );
}
