// The tree of files as it is looked at: which folders are closed, what the filter leaves, where the cursor is and what is
// selected. No markup here.
import { createMemo, createSignal, type Accessor } from 'solid-js';
import {
  moveCursor,
  NOTHING_SELECTED,
  select,
  selectAll,
  type Extension,
  type Selection,
} from '../../state/selection.js';
import { filesBelow, visibleNodes, type TreeNode } from './file-tree.js';
import { treeKey } from './tree-keys.js';

/** Above, the folders of the second level are closed at first. */
const OPEN_AT_FIRST = 500;

export interface TreeView {
  readonly filter: Accessor<string>;
  readonly setFilter: (text: string) => void;
  readonly hasFolders: boolean;
  /** A filter opens all. */
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
  readonly openAll: () => void;
  readonly closeAll: () => void;
  /** Places of the nodes that are shown, from the top; and their keys. */
  readonly visible: Accessor<readonly number[]>;
  readonly order: Accessor<readonly string[]>;
  readonly selection: Accessor<Selection>;
  /** The place of the node under the cursor. */
  readonly cursor: Accessor<number | null>;
  readonly choose: (key: string, how: Extension) => void;
  /** Files, also those in folders that are selected. */
  readonly selectedFiles: Accessor<readonly number[]>;
  readonly onKey: (event: KeyboardEvent) => void;
}

export function createTreeView(nodes: readonly TreeNode[]): TreeView {
  const folders = nodes.filter(({ file }) => file === -1);
  const atFirst = nodes.length > OPEN_AT_FIRST ? folders.filter(({ depth }) => depth > 0) : [];
  const [closed, setClosed] = createSignal<ReadonlySet<string>>(new Set(atFirst.map(({ key }) => key)));
  const [filter, setFilter] = createSignal('');
  const [selection, setSelection] = createSignal(NOTHING_SELECTED);
  const placeOf = new Map(nodes.map(({ key }, at) => [key, at]));
  const visible = createMemo(() => visibleNodes(nodes, closed(), filter()));
  const order = createMemo(() => visible().map((at) => nodes[at]!.key));
  const selectedFiles = createMemo(() =>
    filesBelow(
      nodes,
      [...selection().ids].map((key) => placeOf.get(key)!),
    ),
  );
  const cursor = () => {
    const key = selection().cursor;
    return key === null ? null : (placeOf.get(key) ?? null);
  };
  const setOpen = (key: string, isOpen: boolean) =>
    setClosed((before) => {
      const after = new Set(before);
      if (isOpen) after.delete(key);
      else after.add(key);
      return after;
    });
  const choose = (key: string, how: Extension) => setSelection((before) => select(before, order(), key, how));
  return {
    filter,
    setFilter,
    hasFolders: folders.length > 1,
    isOpen: (key) => filter() !== '' || !closed().has(key),
    toggle: (key) => setOpen(key, closed().has(key)),
    openAll: () => setClosed(new Set<string>()),
    closeAll: () => setClosed(new Set(folders.map(({ key }) => key))),
    visible,
    order,
    selection,
    cursor,
    choose,
    selectedFiles,
    onKey(event) {
      const at = cursor();
      const node = at === null ? undefined : nodes[at];
      const step = treeKey(event, node, node !== undefined && !closed().has(node.key));
      if (!step) return;
      event.preventDefault();
      if (step.kind === 'move') setSelection((before) => moveCursor(before, order(), step.by, step.how));
      else if (step.kind === 'selectAll') setSelection(selectAll(order()));
      else if (!node) return;
      else if (step.kind === 'toggle') choose(node.key, 'toggle');
      else if (step.kind === 'open') setOpen(node.key, step.isOpen);
      else if (node.parent !== -1) choose(nodes[node.parent]!.key, 'replace');
    },
  };
}
