// The files: a tree that draws only the rows on the screen. One stop of the Tab key; arrows move, right and left open
// and close, Shift extends, and the priority of the row at the cursor is the next stop.
import { createVirtualizer } from '@tanstack/solid-virtual';
import { createEffect, createMemo, For, on, Show } from 'solid-js';
import type { FileDto } from '../../../../../shared-protocol/dto/inspector.js';
import { refusedToEdit } from '../../actions/permitted.js';
import { t } from '../../strings/index.js';
import type { LinkTarget } from '../verbs/link-targets.js';
import { isPhone } from '../shell/phone.js';
import { createTreeView } from './create-tree-view.js';
import { FileRow } from './file-row.jsx';
import { createFilePriorities } from './file-priorities.js';
import { buildTree, filesBelow, isSameShape, pathOf, sumsBuffer, sumUp, type TreeNode } from './file-tree.js';
import { FileVerbs } from './file-verbs.jsx';
import { FilesBar } from './files-bar.jsx';
import type { TabProps } from './tabs.js';
import { NotYet } from './waiting.jsx';
import panel from './panel.module.css';
import styles from './files.module.css';

const ROW_PX = 32;
/** The height of a row whose name takes one line; where it takes more, the row is measured. */
const PHONE_ROW_PX = 72;
const OVERSCAN_ROWS = 10;

interface Tree {
  readonly files: readonly FileDto[];
  readonly nodes: readonly TreeNode[];
}

export function Files(props: TabProps) {
  /** The same list while nothing in it has changed. */
  const files = createMemo(() => props.detail()?.files ?? null);
  /** Anew only when paths are others: ticks change numbers. */
  const tree = createMemo<Tree | null>((before) => {
    const now = files();
    if (!now) return null;
    return before && isSameShape(before.files, now) ? before : { files: now, nodes: buildTree(now) };
  }, null);
  return (
    <Show when={tree()} fallback={<NotYet error={props.refusal()} />} keyed>
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
  const view = createTreeView(nodes);
  const { visible, selection } = view;
  const priorities = createFilePriorities(props.torrent().id, () => props.files);
  const buffer = sumsBuffer(nodes);
  const sums = createMemo(() => sumUp(nodes, props.files, priorities.of(), buffer), undefined, { equals: false });
  const refused = () => refusedToEdit([props.torrent()]);

  const target = (): LinkTarget | null => {
    const at = view.cursor();
    const node = at === null ? undefined : nodes[at];
    if (at === null || !node) return null;
    const file = props.files[node.file];
    return file ? { kind: 'file', path: file.path, index: file.index } : { kind: 'folder', path: pathOf(nodes, at) };
  };

  const isWhole = () => {
    const at = view.cursor();
    const file = at === null ? undefined : props.files[nodes[at]?.file ?? -1];
    return file !== undefined && file.bytes_done === file.size;
  };

  /** Another function for other rows: heights are remembered by file. */
  const keyOfRow = createMemo(() => {
    const rows = visible();
    return (index: number) => rows[index] ?? index;
  });
  const virtualizer = createVirtualizer({
    get count() {
      return visible().length;
    },
    get getItemKey() {
      return keyOfRow();
    },
    getScrollElement: () => scroller,
    estimateSize: () => (isPhone() ? PHONE_ROW_PX : ROW_PX),
    overscan: OVERSCAN_ROWS,
  });
  createEffect(on(isPhone, () => virtualizer.measure(), { defer: true }));
  const firstShown = () => virtualizer.getVirtualItems()[0]?.index ?? 0;
  const onScreen = createMemo(() => virtualizer.getVirtualItems().flatMap(({ index }) => visible()[index] ?? []));
  createEffect(
    on(
      () => selection().cursor,
      (cursor) => {
        const index = cursor === null ? -1 : view.order().indexOf(cursor);
        if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
      },
    ),
  );

  return (
    <>
      <FilesBar
        view={view}
        fileCount={props.files.length}
        refused={refused()}
        onChoose={(priority) => void priorities.set(view.selectedFiles(), priority)}
        verbs={<FileVerbs torrent={props.torrent()} target={target()} isWhole={isWhole()} refused={refused()} />}
      />
      <div
        ref={scroller}
        class={styles['tree']}
        role="treegrid"
        tabindex="0"
        aria-label={t('details.files.tree')}
        aria-multiselectable="true"
        aria-rowcount={visible().length + 1}
        aria-activedescendant={rowId(view.cursor())}
        onKeyDown={(event) => event.target === scroller && view.onKey(event)}
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
                  topPx={virtualizer.getVirtualItems()[index()]?.start ?? 0}
                  measure={virtualizer.measureElement}
                  size={sums().size[at]!}
                  progress={sums().progress[at]!}
                  priority={sums().priority[at]!}
                  isOpen={view.isOpen(node.key)}
                  isSelected={isSelected()}
                  isCursor={selection().cursor === node.key}
                  refused={refused()}
                  onToggle={() => view.toggle(node.key)}
                  onPress={(how) => view.choose(node.key, how)}
                  onChoose={(priority) =>
                    void priorities.set(isSelected() ? view.selectedFiles() : filesBelow(nodes, [at]), priority)
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

function rowId(at: number | null): string | undefined {
  return at === null ? undefined : `file-${at}`;
}
