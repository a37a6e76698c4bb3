// How the list is laid out, as the account has it: which columns there are, in which order, how wide, how high the rows.
import { createMemo, type Accessor } from 'solid-js';
import { createAccountPreference } from '../../state/account-preferences.js';
import { isOneOf } from '../../state/preferences.js';
import type { SortKey } from '../../state/sort.js';
import { COLUMNS, columnsThere, HIDDEN_AT_FIRST, type Column } from './columns.jsx';
import { hiddenOf, moved, ordered } from './column-order.js';

const MIN_WIDTH_PX = 48;
/** Heights of rows: those of qBittorrent and qui lie between. */
export const DENSITIES = { comfortable: 34, compact: 28, dense: 24 } as const;
export type Density = keyof typeof DENSITIES;

export interface ListLayout {
  /** The columns that are shown, in order. */
  readonly columns: Accessor<readonly Column[]>;
  readonly hidden: Accessor<readonly SortKey[]>;
  readonly setHidden: (keys: readonly SortKey[]) => void;
  /** Puts a column before another that is shown; null: at the end. */
  readonly moveColumn: (key: SortKey, before: SortKey | null) => void;
  readonly widths: Accessor<Readonly<Partial<Record<SortKey, number>>>>;
  /** Not less than can be taken hold of again. */
  readonly setWidth: (key: SortKey, px: number) => void;
  readonly density: Accessor<Density>;
  readonly setDensity: (density: Density) => void;
  /** Which there are, in which order and how wide, as at first. */
  readonly resetColumns: () => void;
}

interface Stored {
  readonly hidden: readonly SortKey[];
  readonly order: readonly SortKey[];
  readonly widths: Readonly<Partial<Record<SortKey, number>>>;
  /** The columns that there were when this was chosen, in layouts that note it. */
  readonly known?: readonly SortKey[];
}

const KEYS = COLUMNS.map(({ key }) => key);
const AT_FIRST: Stored = { hidden: HIDDEN_AT_FIRST, order: [], widths: {}, known: KEYS };

export function createListLayout(): ListLayout {
  const [stored, store] = createAccountPreference('list.columns', AT_FIRST, isStored);
  const [density, setDensity] = createAccountPreference<Density>('list.density', 'comfortable', isDensity);
  const hidden = createMemo(() => {
    const { order, known = order.length > 0 ? order : KEYS } = stored();
    return hiddenOf(stored().hidden, known, HIDDEN_AT_FIRST);
  });
  const order = () => ordered(KEYS, stored().order);
  // Chosen among the columns that there are now, those that are hidden at first included.
  const choose = (choice: Partial<Stored>) => store({ ...stored(), hidden: hidden(), known: KEYS, ...choice });
  // The same array while they are the same: rows make all of their cells anew for another.
  const columns = createMemo(
    () => {
      const there = columnsThere().filter(({ key }) => !hidden().includes(key));
      return order().flatMap((key) => there.filter((column) => column.key === key));
    },
    undefined,
    { equals: (before, now) => before.length === now.length && before.every((column, at) => column === now[at]) },
  );
  return {
    columns,
    hidden,
    setHidden: (keys) => choose({ hidden: keys }),
    moveColumn: (key, before) => choose({ order: moved(order(), key, before) }),
    widths: () => stored().widths,
    setWidth: (key, px) => choose({ widths: { ...stored().widths, [key]: Math.max(MIN_WIDTH_PX, Math.round(px)) } }),
    density,
    setDensity,
    resetColumns: () => store(AT_FIRST),
  };
}

const isKey = isOneOf(KEYS);
const isDensity = isOneOf(Object.keys(DENSITIES) as Density[]);

function isStored(stored: unknown): stored is Stored {
  if (!isRecord(stored)) return false;
  const { hidden, order, widths, known = [] } = stored;
  const areColumns = areKeys(hidden) && areKeys(order) && areKeys(known);
  return areColumns && isRecord(widths) && Object.values(widths).every(Number.isFinite);
}

function areKeys(stored: unknown): stored is readonly SortKey[] {
  return Array.isArray(stored) && stored.every(isKey);
}

function isRecord(stored: unknown): stored is Readonly<Record<string, unknown>> {
  return typeof stored === 'object' && stored !== null;
}
