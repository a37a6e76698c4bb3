// What the keys of the list do, as in any list of files.
import type { Actions } from '../help/keyboard.js';
import type { ListModel } from './list-model.js';

const PAGE_ROWS = 20;

/** `focus`: the keys work when nothing has the focus, and then the list shall have it. */
export function listShortcuts(model: ListModel, focus: () => void): Actions {
  const move = (by: number, how: 'replace' | 'range') => () => {
    focus();
    model.move(by, how);
  };
  const atCursor = (act: (id: string) => void) => () => {
    const { cursor } = model.selection();
    if (cursor !== null) act(cursor);
  };
  return {
    Down: move(1, 'replace'),
    Up: move(-1, 'replace'),
    PageDown: move(PAGE_ROWS, 'replace'),
    PageUp: move(-PAGE_ROWS, 'replace'),
    Home: move(-Infinity, 'replace'),
    End: move(Infinity, 'replace'),
    extendDown: move(1, 'range'),
    extendUp: move(-1, 'range'),
    extendPageDown: move(PAGE_ROWS, 'range'),
    extendPageUp: move(-PAGE_ROWS, 'range'),
    extendHome: move(-Infinity, 'range'),
    extendEnd: move(Infinity, 'range'),
    toggle: atCursor((id) => model.select(id, 'toggle')),
    open: atCursor((id) => model.open(id)),
    selectAll: model.selectAll,
    leave: () => (model.opened() === null ? model.clearSelection() : model.open(null)),
  };
}
