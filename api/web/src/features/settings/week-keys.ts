// The week by keys: arrows move, with Shift they paint, Enter makes a rule of it or opens the one at the cursor.
import type { WeekPainting } from './week-painting.js';

const STEPS: Readonly<Record<string, readonly [columns: number, hours: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function onWeekKey(event: KeyboardEvent, week: WeekPainting): void {
  const { column, hour } = week.cursor();
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    return week.finish({ column, hour });
  }
  if (event.key === 'Escape' && week.painting()) {
    event.stopPropagation();
    return week.cancel();
  }
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (event.shiftKey && !week.isFixed()) {
    if (!week.painting()) week.start({ column, hour });
    const { toColumn, toHour } = week.painting()!;
    return week.paint({ column: toColumn + step[0], hour: toHour + step[1] });
  }
  week.cancel();
  week.moveTo({ column: column + step[0], hour: hour + step[1] });
}
