// The week, an hour a cell. A window is painted by dragging, or with Shift and the arrow keys and then Enter; past the
// last hour it goes on after midnight. A click or Enter on a rule opens it.
import { For } from 'solid-js';
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import { t } from '../../strings/index.js';
import { clockTime } from './codecs.js';
import { createServerTime, NowLine, NowText } from './now-line.jsx';
import { onWeekKey } from './week-keys.js';
import { DAY_MIN, DAY_ORDER, HOURS, isPainted, ruleAt, windowOf, type Segment } from './week-model.js';
import { createWeekPainting } from './week-painting.js';
import { createWeekPointers } from './week-pointers.js';
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

export function WeekGrid(props: WeekGridProps) {
  let grid!: HTMLDivElement;
  const serverTime = createServerTime();
  const week = createWeekPainting({
    segments: () => props.segments,
    isFixed: () => props.isFixed,
    focus: ({ column, hour }) => grid.querySelector<HTMLElement>(`[data-cell="${column}-${hour}"]`)?.focus(),
    onPainted: (window) => props.onPainted(window),
    onOpen: (rule) => props.onOpen(rule),
  });
  const pointers = createWeekPointers(() => grid, week);
  const { cursor, painting } = week;
  return (
    <div>
      <div
        ref={grid}
        class={styles['grid']}
        role="grid"
        aria-label={t('settings.schedule.grid')}
        aria-multiselectable="true"
        data-fixed={props.isFixed}
        onKeyDown={(event) => onWeekKey(event, week)}
        {...pointers}
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
          <NowLine time={serverTime} />
        </div>
      </div>
      <NowText time={serverTime} />
      <p class={styles['painted']} role="status">
        {painting() ? paintedText(windowOf(painting()!)) : ''}
      </p>
    </div>
  );
}

function cellLabel(segments: readonly Segment[], day: number, hour: number): string {
  const rule = ruleAt(segments, day, hour * 60);
  const what = rule
    ? t('settings.schedule.cellRule', { id: String(rule.id), limits: limitsText(rule) })
    : t('settings.schedule.cellFree');
  return `${longDay(day)} ${clockTime(hour * 60)}, ${what}`;
}

function paintedText(window: ReturnType<typeof windowOf>): string {
  return `${daysText(window.days_mask)} ${timesText(window)}`;
}
