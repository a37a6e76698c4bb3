// A line across the day where the server's clock is: rules go by that one, wherever the browser is.
import { createMemo, createSignal, onCleanup, Show } from 'solid-js';
import { limitsInForce } from '../../state/limits.js';
import { t } from '../../strings/index.js';
import { clockTime } from './codecs.js';
import { DAY_MIN, DAY_ORDER, minuteOfWall, wallAheadMs } from './week-model.js';
import { longDay } from './week-texts.js';
import styles from './schedule.module.css';

const REFRESH_MS = 15_000;

/** Day and minute on the server's wall; null until it has told them. */
export function createServerTime() {
  const [nowMs, setNowMs] = createSignal(Date.now());
  const timer = setInterval(() => setNowMs(Date.now()), REFRESH_MS);
  onCleanup(() => clearInterval(timer));
  const aheadMs = createMemo(() => {
    const told = limitsInForce.value()?.now;
    return told === undefined ? null : wallAheadMs(told, Date.now());
  });
  return () => {
    const ahead = aheadMs();
    return ahead === null ? null : minuteOfWall(nowMs() + ahead);
  };
}

export type ServerTime = ReturnType<typeof createServerTime>;

export function NowLine(props: { readonly time: ServerTime }) {
  return (
    <Show when={props.time()}>
      {(at) => (
        <div
          class={styles['now']}
          style={{
            left: `${(DAY_ORDER.indexOf(at().day) / DAY_ORDER.length) * 100}%`,
            top: `${(at().minute / DAY_MIN) * 100}%`,
          }}
        />
      )}
    </Show>
  );
}

export function NowText(props: { readonly time: ServerTime }) {
  return (
    <Show when={props.time()}>
      {(at) => (
        <p class="muted">
          <span class={styles['nowSample']} aria-hidden="true" />
          {t('settings.schedule.serverNow', { day: longDay(at().day), time: clockTime(at().minute) })}
        </p>
      )}
    </Show>
  );
}
