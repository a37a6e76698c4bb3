// Times as seen from now: `3 minutes ago`, `in 2 hours`. Pure.
import { t } from '../../strings/index.js';
import { inLanguage } from '../../strings/locale.js';

const relative = inLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function relativeTime(unixS: number, nowMs: number): string {
  const seconds = unixS - nowMs / 1_000;
  const [unit, length] = UNITS.find(([, unitS]) => Math.abs(seconds) >= unitS) ?? (['second', 1] as const);
  return unit === 'second' && seconds < 0 ? t('feeds.justNow') : relative().format(Math.round(seconds / length), unit);
}
