// In which hours of the week most is moved: a table whose cells are shaded, so that who does not see the shades reads the
// figures, and what is pointed at is told below.
import { createMemo, createSignal, For, Show } from 'solid-js';
import type { RatesDto } from '../../../../../shared-protocol/dto/rates.js';
import { rate } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { inLanguage } from '../../strings/locale.js';
import { busiest, DAYS, HOURS, hoursOfWeek, levelOf, LEVELS, type Hour } from './week.js';
import map from './week-map.module.css';
import styles from './statistics.module.css';

const WAYS = ['down', 'up'] as const;
type Way = (typeof WAYS)[number];
/** Hours that have a label. */
const LABELLED = 6;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Sunday, whose days and hours are only ever written in UTC. */
const SUNDAY_MS = Date.UTC(2023, 0, 1);
const UTC = 'UTC';
const shortDays = inLanguage((locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: UTC }));
const longDays = inLanguage((locale) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: UTC }));
const times = inLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: UTC }),
);
/** Monday first. */
const ORDER = Array.from({ length: DAYS }, (_, place) => (place + 1) % DAYS);

export default function WeekMap(props: { readonly rates: RatesDto }) {
  const [way, setWay] = createSignal<Way>('down');
  const [pointed, setPointed] = createSignal<number | null>(null);
  const hours = createMemo(() => hoursOfWeek(props.rates, way()));
  const most = createMemo(() => busiest(hours()));
  const placeOf = (target: EventTarget) => {
    const place = target instanceof HTMLElement ? target.dataset['place'] : undefined;
    setPointed(place === undefined ? null : Number(place));
  };
  const told = (hour: Hour) =>
    t('statistics.week.legend', {
      day: dayName(longDays(), hour.day),
      from: timeOf(hour.hour),
      to: timeOf(hour.hour + 1),
      rate: written(hour.rate),
    });
  const summary = () => {
    const hour = most();
    return hour === null ? t('statistics.week.none') : t('statistics.week.most', { what: told(hour) });
  };
  return (
    <>
      <div class={map['ways']} role="group" aria-label={t('statistics.week.show')}>
        <For each={WAYS}>
          {(each) => (
            <button type="button" aria-pressed={way() === each} onClick={() => setWay(each)}>
              {t(`statistics.sums.${each}`)}
            </button>
          )}
        </For>
      </div>
      <table
        class={map['table']}
        aria-label={t('statistics.week.title')}
        onPointerOver={({ target }) => placeOf(target)}
        onPointerDown={({ target }) => placeOf(target)}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(null)}
      >
        <thead>
          <tr>
            <td />
            <For each={Array.from({ length: HOURS }, (_, hour) => hour)}>
              {(hour) => (
                <th scope="col">
                  <span class={hour % LABELLED === 0 ? map['label'] : 'visually-hidden'}>{timeOf(hour)}</span>
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={ORDER}>
            {(day) => (
              <tr>
                <th scope="row" aria-label={dayName(longDays(), day)}>
                  {dayName(shortDays(), day)}
                </th>
                <For each={hours().slice(day * HOURS, (day + 1) * HOURS)}>
                  {(hour) => (
                    <td
                      data-place={day * HOURS + hour.hour}
                      data-level={hour.rate === null ? 'unknown' : levelOf(hour.rate, most()?.rate ?? 1)}
                    >
                      <span class="visually-hidden">{written(hour.rate)}</span>
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <div class={map['scale']} aria-hidden="true">
        {t('statistics.week.less')}
        <For each={Array.from({ length: LEVELS + 1 }, (_, level) => level)}>
          {(level) => <span data-level={level} />}
        </For>
        {t('statistics.week.more')}
      </div>
      <p class={styles['figures']}>
        <Show when={pointed() !== null ? hours()[pointed()!] : undefined} fallback={summary()}>
          {(hour) => told(hour())}
        </Show>
      </p>
    </>
  );
}

function dayName(names: Intl.DateTimeFormat, day: number): string {
  return names.format(SUNDAY_MS + day * DAY_MS);
}

function timeOf(hour: number): string {
  return times().format(SUNDAY_MS + hour * HOUR_MS);
}

function written(of: number | null): string {
  return of === null ? '–' : rate(of) || '0 B/s';
}
