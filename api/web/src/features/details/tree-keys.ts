// What a key means in a tree, as in the trees of file managers. Pure.
import type { Extension } from '../../state/selection.js';
import type { TreeNode } from './file-tree.js';

const PAGE_ROWS = 10;

const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_ROWS,
  PageUp: -PAGE_ROWS,
  Home: -Infinity,
  End: Infinity,
};

export type TreeStep =
  | { readonly kind: 'move'; readonly by: number; readonly how: Extension }
  | { readonly kind: 'open'; readonly isOpen: boolean }
  | { readonly kind: 'toParent' | 'toggle' | 'selectAll' };

interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** `node`: at the cursor. null: the key means nothing here. */
export function treeKey(
  { key, shiftKey, ctrlKey, metaKey }: Pressed,
  node: TreeNode | undefined,
  isOpen: boolean,
): TreeStep | null {
  const isFolder = node?.file === -1;
  const by = MOVES[key];
  if (by !== undefined) return { kind: 'move', by, how: shiftKey ? 'range' : 'replace' };
  if (key === ' ') return { kind: 'toggle' };
  if (key === 'a' && (ctrlKey || metaKey)) return { kind: 'selectAll' };
  if (key === 'Enter' && isFolder) return { kind: 'open', isOpen: !isOpen };
  if (key === 'ArrowRight')
    return isFolder && !isOpen ? { kind: 'open', isOpen: true } : { kind: 'move', by: 1, how: 'replace' };
  if (key === 'ArrowLeft') return isFolder && isOpen ? { kind: 'open', isOpen: false } : { kind: 'toParent' };
  return null;
}
