// A window that is being painted in the week, by whatever means, and the cell where the focus is. Owns: what is painted
// becomes a new rule, and one cell of a rule opens that rule.
import { createSignal, type Accessor } from 'solid-js';
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import {
  DAY_ORDER,
  HOURS,
  paintTo,
  ruleAt,
  startPainting,
  windowOf,
  type Painting,
  type Segment,
} from './week-model.js';

export interface Cell {
  /** The place in the week, Monday first. */
  readonly column: number;
  readonly hour: number;
}

export interface PaintingDeps {
  readonly segments: Accessor<readonly Segment[]>;
  /** Only to be looked at. */
  readonly isFixed: Accessor<boolean>;
  readonly focus: (cell: Cell) => void;
  readonly onPainted: (window: ReturnType<typeof windowOf>) => void;
  readonly onOpen: (rule: RuleDto) => void;
}

export interface WeekPainting {
  readonly isFixed: Accessor<boolean>;
  readonly cursor: Accessor<Cell>;
  readonly painting: Accessor<Painting | null>;
  /** The focus is there already. */
  readonly setCursor: (cell: Cell) => void;
  /** Into the week, if it is beside it. */
  readonly moveTo: (cell: Cell) => void;
  readonly start: (cell: Cell) => void;
  /** Nothing is painted while it is not started. */
  readonly paint: (cell: Cell) => void;
  readonly cancel: () => void;
  /** With what is painted, or the cell alone. */
  readonly finish: (cell: Cell) => void;
}

export function createWeekPainting(deps: PaintingDeps): WeekPainting {
  const [cursor, setCursor] = createSignal<Cell>({ column: 0, hour: 9 });
  const [painting, setPainting] = createSignal<Painting | null>(null);
  return {
    isFixed: deps.isFixed,
    cursor,
    painting,
    setCursor,
    moveTo({ column, hour }) {
      setCursor({ column: clamp(column, DAY_ORDER.length), hour: clamp(hour, HOURS) });
      deps.focus(cursor());
    },
    start: ({ column, hour }) => void setPainting(startPainting(column, hour)),
    paint: ({ column, hour }) => void setPainting((now) => now && paintTo(now, column, hour)),
    cancel: () => void setPainting(null),
    finish({ column, hour }) {
      const { fromColumn, toColumn, fromHour, toHour } = painting() ?? startPainting(column, hour);
      const rule = ruleAt(deps.segments(), DAY_ORDER[fromColumn]!, fromHour * 60);
      const isOneCell = fromColumn === toColumn && fromHour === toHour;
      setPainting(null);
      if (deps.isFixed()) return;
      if (isOneCell && rule) deps.onOpen(rule);
      else deps.onPainted(windowOf({ fromColumn, toColumn, fromHour, toHour }));
    },
  };
}

function clamp(value: number, length: number): number {
  return Math.min(Math.max(value, 0), length - 1);
}
