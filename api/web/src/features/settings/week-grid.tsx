// The week, an hour a cell. A window is painted by dragging, or with Shift and the arrow keys and then Enter; past the
// last hour it goes on after midnight. A click or Enter on a rule opens it.
import { createSignal, For } from 'solid-js';
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import { t } from '../../strings/index.js';
import { clockTime } from './codecs.js';
import { isPainted, paintTo, ruleAt, startPainting, windowOf, type Painting, type Segment } from './week-model.js';
import { DAY_MIN, DAY_ORDER, HOURS } from './week-model.js';
import { daysText, limitsText, longDay, shortDay, timesText } from './week-texts.js';
import styles from './schedule.module.css';

export interface WeekGridProps {
  readonly segments: readonly Segment[];
  readonly holdingId: number | null;
  /** Only to be looked at. */
  readonly isFixed: boolean;
  readonly onPainted: (window: ReturnType<typeof windowOf>) => void;
  readonly onOpen: (rule: RuleDto) => void;
}

const HOUR_LIST = Array.from({ length: HOURS }, (_, hour) => hour);
const STEPS: Readonly<Record<string, readonly [columns: number, hours: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function WeekGrid(props: WeekGridProps) {
  let grid!: HTMLDivElement;
  const [cursor, setCursor] = createSignal({ column: 0, hour: 9 });
  const [painting, setPainting] = createSignal<Painting | null>(null);
  const [isDragging, setIsDragging] = createSignal(false);

  const moveTo = (column: number, hour: number) => {
    setCursor({ column, hour });
    grid.querySelector<HTMLElement>(`[data-cell="${column}-${hour}"]`)?.focus();
  };
  const open = (at: Painting) => {
    const rule = ruleAt(props.segments, DAY_ORDER[at.fromColumn]!, at.fromHour * 60);
    const isOneCell = at.fromColumn === at.toColumn && at.fromHour === at.toHour;
    setPainting(null);
    if (props.isFixed) return;
    if (isOneCell && rule) props.onOpen(rule);
    else props.onPainted(windowOf(at));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { column, hour } = cursor();
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return open(painting() ?? startPainting(column, hour));
    }
    if (event.key === 'Escape' && painting()) {
      event.stopPropagation();
      return void setPainting(null);
    }
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey && !props.isFixed) {
      const now = painting() ?? startPainting(column, hour);
      return void setPainting(paintTo(now, now.toColumn + step[0], now.toHour + step[1]));
    }
    setPainting(null);
    moveTo(clamp(column + step[0], DAY_ORDER.length), clamp(hour + step[1], HOURS));
  };

  /** Where in the week a pointer is; below the last hour it is the day after. */
  const placeOf = (event: PointerEvent) => {
    const first = grid.querySelector('[data-cell="0-0"]')!.getBoundingClientRect();
    return {
      column: Math.floor((event.clientX - first.left) / first.width),
      hour: Math.floor((event.clientY - first.top) / first.height),
    };
  };
  const onPointerDown = (event: PointerEvent) => {
    // A finger scrolls; a tap is a click.
    if (!cellOf(event) || event.button !== 0 || event.pointerType === 'touch') return;
    event.preventDefault();
    const { column, hour } = placeOf(event);
    moveTo(clamp(column, DAY_ORDER.length), clamp(hour, HOURS));
    if (props.isFixed) return;
    grid.setPointerCapture(event.pointerId);
    setIsDragging(true);
    setPainting(startPainting(cursor().column, cursor().hour));
  };
  const onPointerMove = (event: PointerEvent) => {
    const now = painting();
    if (!isDragging() || !now) return;
    const { column, hour } = placeOf(event);
    setPainting(paintTo(now, column, hour));
  };
  const onPointerUp = () => {
    const now = painting();
    if (!isDragging() || !now) return;
    setIsDragging(false);
    open(now);
  };
  const onTap = (event: MouseEvent) => {
    const cell = cellOf(event);
    if (cell && event instanceof PointerEvent && event.pointerType === 'touch') {
      open(startPainting(cell.column, cell.hour));
    }
  };
  // Screen readers put the focus where they read.
  const onFocusIn = (event: FocusEvent) => {
    const cell = cellOf(event);
    if (cell) setCursor(cell);
  };

  return (
    <div>
      <div
        ref={grid}
        class={styles['grid']}
        role="grid"
        aria-label={t('settings.schedule.grid')}
        aria-multiselectable="true"
        data-fixed={props.isFixed}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          setIsDragging(false);
          setPainting(null);
        }}
        onClick={onTap}
        onFocusIn={onFocusIn}
      >
        <div class={styles['line']} role="row">
          <span role="columnheader">
            <span class="visually-hidden">{t('settings.schedule.hour')}</span>
          </span>
          <For each={DAY_ORDER}>
            {(day) => (
              <span role="columnheader" class={styles['dayName']} aria-label={longDay(day)}>
                {shortDay(day)}
              </span>
            )}
          </For>
        </div>
        <For each={HOUR_LIST}>
          {(hour) => (
            <div class={styles['line']} role="row">
              <span role="rowheader" class={styles['hour']}>
                {clockTime(hour * 60)}
              </span>
              <For each={DAY_ORDER}>
                {(day, column) => (
                  <div
                    role="gridcell"
                    class={styles['cell']}
                    data-cell={`${column()}-${hour}`}
                    tabindex={cursor().column === column() && cursor().hour === hour ? 0 : -1}
                    aria-selected={painting() ? isPainted(painting()!, column(), hour) : false}
                    aria-label={cellLabel(props.segments, day, hour)}
                  />
                )}
              </For>
            </div>
          )}
        </For>
        <div class={styles['segments']} aria-hidden="true">
          <For each={props.segments}>
            {({ day, startMin, endMin, rule }) => (
              <div
                class={styles['segment']}
                data-alt={rule.alt_only}
                data-holds={props.holdingId === rule.id}
                style={{
                  left: `${(DAY_ORDER.findIndex((of) => of === day) / DAY_ORDER.length) * 100}%`,
                  top: `${(startMin / DAY_MIN) * 100}%`,
                  height: `${((endMin - startMin) / DAY_MIN) * 100}%`,
                }}
              >
                {rule.id}
              </div>
            )}
          </For>
        </div>
      </div>
      <p class={styles['painted']} role="status">
        {painting() ? paintedText(windowOf(painting()!)) : ''}
      </p>
    </div>
  );
}

function cellOf(event: Event): { readonly column: number; readonly hour: number } | null {
  const name = event.target instanceof HTMLElement ? event.target.dataset['cell'] : undefined;
  const [column, hour] = name?.split('-').map(Number) ?? [];
  return column === undefined || hour === undefined ? null : { column, hour };
}

const clamp = (value: number, length: number) => Math.min(Math.max(value, 0), length - 1);

function cellLabel(segments: readonly Segment[], day: number, hour: number): string {
  const rule = ruleAt(segments, day, hour * 60);
  const what = rule
    ? t('settings.schedule.cellRule', { id: rule.id, limits: limitsText(rule) })
    : t('settings.schedule.cellFree');
  return `${longDay(day)} ${clockTime(hour * 60)}, ${what}`;
}

function paintedText(window: ReturnType<typeof windowOf>): string {
  return `${daysText(window.days_mask)} ${timesText(window)}`;
}
