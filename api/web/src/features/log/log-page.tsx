// The log of the service, for administrators: what was logged lately, live, by how serious it is, by part and by words.
import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js';
import type { LogDto, LogPart, LogRecord } from '../../../../../shared-protocol/dto/log.js';
import type { RecordLevel } from '../../../../../shared-protocol/log-levels.js';
import { download } from '../../actions/download.js';
import { inert } from '../../format/quantities.js';
import { ApiError, call } from '../../net/http.js';
import { inLanguage } from '../../strings/locale.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import styles from './log.module.css';

const LOOK_MS = 2_000;
const TYPED_MS = 300;
/** More are not read, and take long to lay out. */
const MAX_SHOWN = 1_000;
const LEVELS: readonly RecordLevel[] = ['debug', 'info', 'warn', 'error'];
const PARTS: readonly LogPart[] = ['api', 'engine'];

const times = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' }));

export default function LogPage() {
  const [level, setLevel] = createSignal<RecordLevel>('debug');
  const [part, setPart] = createSignal<LogPart | ''>('');
  const [text, setText] = createSignal('');
  const [isLive, setIsLive] = createSignal(true);
  const [records, setRecords] = createSignal<readonly LogRecord[]>([]);
  const [logged, setLogged] = createSignal<LogDto['level']>('info');
  const [error, setError] = createSignal<string | null>(null);
  let run = '';
  let last = 0;
  /** The number of the choice of filters: an answer to one before comes too late. */
  let turn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = async () => {
    clearTimeout(timer);
    const asked = turn;
    const query = new URLSearchParams({ level: level(), after: String(last) });
    if (part() !== '') query.set('part', part());
    if (text() !== '') query.set('text', text());
    try {
      const answer = await call<LogDto>('GET', `/api/log?${query}`);
      if (asked !== turn) return;
      setError(null);
      setLogged(answer.level);
      if (answer.run !== run) {
        const isAgain = run !== '';
        run = answer.run;
        // Begun anew by a restart: its lines are all behind none.
        if (isAgain) return restart();
      }
      last = answer.last;
      if (answer.records.length > 0) setRecords((before) => [...before, ...answer.records].slice(-MAX_SHOWN));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (asked === turn) setError(thrown.message);
    }
    if (isLive()) timer = setTimeout(() => void look(), LOOK_MS);
  };
  const restart = () => {
    turn++;
    last = 0;
    setRecords([]);
    void look();
  };
  let typing: ReturnType<typeof setTimeout> | undefined;
  const type = (typed: string) => {
    clearTimeout(typing);
    typing = setTimeout(() => setText(typed), TYPED_MS);
  };
  createEffect(on([level, part, text], restart));
  createEffect(on(isLive, (is) => is && void look(), { defer: true }));
  onCleanup(() => {
    turn++;
    setIsLive(false);
    clearTimeout(timer);
    clearTimeout(typing);
  });

  return (
    <section class={styles['log']} aria-label={t('log.title')}>
      <p class="muted">{t('log.about')}</p>
      <div class={styles['bar']}>
        <label>
          {t('log.level')}{' '}
          <select value={level()} onChange={(event) => setLevel(event.currentTarget.value as RecordLevel)}>
            <For each={LEVELS}>{(each) => <option value={each}>{t(`log.from.${each}`)}</option>}</For>
          </select>
        </label>
        <label>
          {t('log.part')}{' '}
          <select value={part()} onChange={(event) => setPart(event.currentTarget.value as LogPart | '')}>
            <option value="">{t('log.everyPart')}</option>
            <For each={PARTS}>{(each) => <option value={each}>{t(`log.parts.${each}`)}</option>}</For>
          </select>
        </label>
        <input
          type="search"
          placeholder={t('log.search')}
          aria-label={t('log.search')}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <label>
          <input type="checkbox" checked={isLive()} onChange={(event) => setIsLive(event.currentTarget.checked)} />{' '}
          {t('log.live')}
        </label>
        <Button onClick={() => download('/api/log/file')}>{t('log.download')}</Button>
      </div>
      <Show when={error()}>{(reason) => <p role="alert">{reason()}</p>}</Show>
      <Show when={level() === 'debug' && logged() !== 'debug' && logged() !== 'trace'}>
        <p class="muted">{t('log.atLevel', { level: logged() })}</p>
      </Show>
      <Show when={records().length > 0} fallback={<p class="muted">{t('log.none')}</p>}>
        <ol class={styles['lines']} tabindex="0" aria-label={t('log.lines')}>
          <For each={records().toReversed()}>{(record) => <Line record={record} />}</For>
        </ol>
      </Show>
    </section>
  );
}

function Line(props: { readonly record: LogRecord }) {
  const fields = () =>
    Object.entries(props.record.fields)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(' ');
  return (
    <li class={styles['line']} data-level={props.record.level}>
      <time>{times().format(props.record.unix_ms)}</time>
      <span class={styles['level']}>{t(`log.levels.${props.record.level}`)}</span>
      <span class={styles['part']}>{t(`log.parts.${props.record.part}`)}</span>
      <span class={styles['message']}>
        {inert(props.record.message)} <span class={styles['fields']}>{inert(fields())}</span>
      </span>
    </li>
  );
}
