// What is selected in the list: a set, a cursor that the arrow keys move, and the anchor from which a range is drawn.
// Pure; ids are those of the list in its order of now.

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly cursor: string | null;
  readonly anchor: string | null;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), cursor: null, anchor: null };

export type Extension = 'replace' | 'toggle' | 'range';

export function select({ ids, anchor }: Selection, order: readonly string[], id: string, how: Extension): Selection {
  switch (how) {
    case 'replace':
      return { ids: new Set([id]), cursor: id, anchor: id };
    case 'toggle': {
      const toggled = new Set(ids);
      if (!toggled.delete(id)) toggled.add(id);
      return { ids: toggled, cursor: id, anchor: id };
    }
    case 'range': {
      const from = anchor === null ? -1 : order.indexOf(anchor);
      if (from === -1) return { ids: new Set([id]), cursor: id, anchor: id };
      const to = order.indexOf(id);
      return { ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), cursor: id, anchor };
    }
  }
}

export function selectAll(order: readonly string[]): Selection {
  return { ids: new Set(order), cursor: order[0] ?? null, anchor: order[0] ?? null };
}

/** By so many rows, as far as there are any. */
export function moveCursor(selection: Selection, order: readonly string[], by: number, how: Extension): Selection {
  const from = selection.cursor === null ? -1 : order.indexOf(selection.cursor);
  const first = by > 0 ? -1 : order.length;
  const to = Math.min(Math.max((from === -1 ? first : from) + by, 0), order.length - 1);
  const id = order[to];
  return id === undefined ? selection : select(selection, order, id, how);
}

/** Without those that are not seen: what is done to the selection must not reach them. */
export function withoutUnseen(selection: Selection, isThere: (id: string) => boolean): Selection {
  const { ids, cursor, anchor } = selection;
  const isWhole =
    [...ids].every(isThere) && (cursor === null || isThere(cursor)) && (anchor === null || isThere(anchor));
  if (isWhole) return selection;
  const orNull = (id: string | null) => (id !== null && isThere(id) ? id : null);
  return { ids: new Set([...ids].filter(isThere)), cursor: orNull(cursor), anchor: orNull(anchor) };
}
