// The files: a tree that draws only the rows on the screen. One stop of the Tab key; arrows move, right and left open
// and close, Shift extends, and the priority of the row at the cursor is the next stop.
import { createVirtualizer } from '@tanstack/solid-virtual';
import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js';
import type { FileDto } from '../../../../../shared-protocol/dto/inspector.js';
import { refusedToEdit } from '../../actions/permitted.js';
import { moveCursor, NOTHING_SELECTED, select, selectAll, type Extension } from '../../state/selection.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { FileRow } from './file-row.jsx';
import { createFilePriorities } from './file-priorities.js';
import { buildTree, filesBelow, isSameShape, sumUp, visibleNodes, type TreeNode } from './file-tree.js';
import { PrioritySelect } from './priority-select.jsx';
import type { TabProps } from './tabs.js';
import { treeKey } from './tree-keys.js';
import { Waiting } from './waiting.jsx';
import panel from './panel.module.css';
import styles from './files.module.css';

const ROW_PX = 32;
const OVERSCAN_ROWS = 10;
/** Above, the folders of the second level are closed at first. */
const OPEN_AT_FIRST = 500;

interface Tree {
  readonly files: readonly FileDto[];
  readonly nodes: readonly TreeNode[];
}

export function Files(props: TabProps) {
  const files = () => props.detail()?.files ?? null;
  /** Anew only when paths are others: ticks change numbers. */
  const tree = createMemo<Tree | null>((before) => {
    const now = files();
    if (!now) return null;
    return before && isSameShape(before.files, now) ? before : { files: now, nodes: buildTree(now) };
  }, null);
  return (
    <Show when={tree()} fallback={<Waiting />} keyed>
      {({ nodes }) => (
        <Show when={nodes.length > 0} fallback={<p class={panel['empty']}>{t('details.files.unknown')}</p>}>
          <FileTree {...props} nodes={nodes} files={files() ?? []} />
        </Show>
      )}
    </Show>
  );
}

function FileTree(props: TabProps & { readonly nodes: readonly TreeNode[]; readonly files: readonly FileDto[] }) {
  let scroller!: HTMLDivElement;
  const { nodes } = props;
  const folders = nodes.filter(({ file }) => file === -1);
  const [filter, setFilter] = createSignal('');
  const [closed, setClosed] = createSignal<ReadonlySet<string>>(
    new Set(nodes.length > OPEN_AT_FIRST ? folders.filter(({ depth }) => depth > 0).map(({ key }) => key) : []),
  );
  const [selection, setSelection] = createSignal(NOTHING_SELECTED);
  const priorities = createFilePriorities(props.torrent().id, () => props.files);
  const sums = createMemo(() => sumUp(nodes, props.files, priorities.of()));
  const visible = createMemo(() => visibleNodes(nodes, closed(), filter()));
  const order = createMemo(() => visible().map((at) => nodes[at]!.key));
  const placeOf = new Map(nodes.map(({ key }, at) => [key, at]));
  const placesOf = (keys: Iterable<string>) => [...keys].map((key) => placeOf.get(key)!);
  const selectedFiles = createMemo(() => filesBelow(nodes, placesOf(selection().ids)));

  const virtualizer = createVirtualizer({
    get count() {
      return visible().length;
    },
    getScrollElement: () => scroller,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN_ROWS,
  });
  const firstShown = () => virtualizer.getVirtualItems()[0]?.index ?? 0;
  const onScreen = createMemo(() => virtualizer.getVirtualItems().flatMap(({ index }) => visible()[index] ?? []));
  createEffect(
    on(
      () => selection().cursor,
      (cursor) => {
        const index = cursor === null ? -1 : order().indexOf(cursor);
        if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
      },
    ),
  );

  const refused = () => refusedToEdit([props.torrent()]);
  const setOpen = (key: string, isOpen: boolean) =>
    setClosed((before) => {
      const after = new Set(before);
      if (isOpen) after.delete(key);
      else after.add(key);
      return after;
    });
  const choose = (key: string, how: Extension) => setSelection((before) => select(before, order(), key, how));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller) return;
    const { cursor } = selection();
    const node = cursor === null ? undefined : nodes[placeOf.get(cursor)!];
    const step = treeKey(event, node, node !== undefined && !closed().has(node.key));
    if (!step) return;
    event.preventDefault();
    if (step.kind === 'move') setSelection((before) => moveCursor(before, order(), step.by, step.how));
    else if (step.kind === 'selectAll') setSelection(selectAll(order()));
    else if (step.kind === 'toggle' && cursor !== null) choose(cursor, 'toggle');
    else if (step.kind === 'open' && cursor !== null) setOpen(cursor, step.isOpen);
    else if (step.kind === 'toParent' && node && node.parent !== -1) choose(nodes[node.parent]!.key, 'replace');
  };

  return (
    <>
      <div class={panel['bar']}>
        <input
          type="search"
          aria-label={t('details.files.filter')}
          placeholder={t('details.files.filter')}
          onInput={(event) => setFilter(event.currentTarget.value)}
          on:keydown={(event) => {
            // The first Escape empties it, the next closes the panel.
            if (event.key === 'Escape' && filter() !== '') event.stopPropagation();
          }}
        />
        <Show
          when={selectedFiles().length > 1}
          fallback={<span class="muted">{t('details.files.count', { count: props.files.length })}</span>}
        >
          <span class="muted">{t('details.files.selected', { count: selectedFiles().length })}</span>
          <PrioritySelect
            label={t('details.files.priorityOfSelected')}
            value={null}
            refused={refused()}
            onChoose={(priority) => void priorities.set(selectedFiles(), priority)}
          />
        </Show>
        <span class={panel['space']} />
        <Show when={folders.length > 1}>
          <Button look="quiet" class={styles['foldAll']} onClick={() => setClosed(new Set<string>())}>
            {t('details.files.open')}
          </Button>
          <Button
            look="quiet"
            class={styles['foldAll']}
            onClick={() => setClosed(new Set(folders.map(({ key }) => key)))}
          >
            {t('details.files.close')}
          </Button>
        </Show>
      </div>
      <div
        ref={scroller}
        class={styles['tree']}
        role="treegrid"
        tabindex="0"
        aria-label={t('details.files.tree')}
        aria-multiselectable="true"
        aria-rowcount={visible().length + 1}
        aria-activedescendant={rowId(selection().cursor === null ? undefined : placeOf.get(selection().cursor!))}
        onKeyDown={onKeyDown}
      >
        <div class={styles['head']} role="row" aria-rowindex={1}>
          <For each={['name', 'size', 'progress', 'priority'] as const}>
            {(column) => <span role="columnheader">{t(`details.files.${column}`)}</span>}
          </For>
        </div>
        <div role="rowgroup" class={styles['body']} style={{ height: `${virtualizer.getTotalSize()}px` }}>
          <For each={onScreen()}>
            {(at, index) => {
              const node = nodes[at]!;
              const isSelected = () => selection().ids.has(node.key);
              return (
                <FileRow
                  id={rowId(at)!}
                  node={node}
                  index={firstShown() + index()}
                  topPx={(firstShown() + index()) * ROW_PX}
                  size={sums().size[at]!}
                  progress={sums().progress[at]!}
                  priority={sums().priority[at]!}
                  isOpen={filter() !== '' || !closed().has(node.key)}
                  isSelected={isSelected()}
                  isCursor={selection().cursor === node.key}
                  refused={refused()}
                  onToggle={() => setOpen(node.key, closed().has(node.key))}
                  onPress={(how) => choose(node.key, how)}
                  onChoose={(priority) =>
                    void priorities.set(isSelected() ? selectedFiles() : filesBelow(nodes, [at]), priority)
                  }
                />
              );
            }}
          </For>
        </div>
        <Show when={visible().length === 0}>
          <p class={panel['empty']}>{t('details.files.noneMatch')}</p>
        </Show>
      </div>
    </>
  );
}

function rowId(at: number | undefined): string | undefined {
  return at === undefined ? undefined : `file-${at}`;
}
