// One looks, and knows: how fast it goes and went, what was moved by whom and where, how long the disks last, what is done
// and what is wrong. All of it is of the account that looks, for administrators of all accounts.
import { useNavigate } from '@solidjs/router';
import { createMemo, createSignal, For, onCleanup, Show } from 'solid-js';
import type { UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { HistoryDto, TrafficDto } from '../../../../../shared-protocol/dto/history.js';
import type { RatesDto } from '../../../../../shared-protocol/dto/rates.js';
import type { StatusDto } from '../../../../../shared-protocol/dto/status.js';
import type { StorageDto } from '../../../../../shared-protocol/dto/storage.js';
import { createAccountPreference } from '../../state/account-preferences.js';
import { categoryNames } from '../../state/labels.js';
import { isOneOf } from '../../state/preferences.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { useShell } from '../shell/shell.jsx';
import { createStartPage } from '../shell/start-page.js';
import { AccountsTable } from './accounts-table.jsx';
import { byCategory, byTracker } from './breakdown.js';
import DayBars from './day-bars.jsx';
import { Disks } from './disks.jsx';
import { Lately } from './lately.jsx';
import { PartTable } from './part-table.jsx';
import { daysKnown, daysShown, everyDay, movedQuery, PERIODS, ratesPath, type Period } from './periods.js';
import { createPolled } from '../../state/polled.js';
import RatioLine from './ratio-line.jsx';
import SpeedGraph from './speed-graph.jsx';
import { Sums } from './sums.jsx';
import WeekMap from './week-map.jsx';
import { WEEK_PATH } from './week.js';
import styles from './statistics.module.css';
import { serverNowMs } from '../../net/server-clock.js';

/** Figures of ten thousand torrents are not worked out with each tick. */
const COUNT_MS = 5_000;
const OTHERS = '*';

export default function StatisticsPage() {
  const { live, list } = useShell();
  const navigate = useNavigate();
  const [period, setPeriod] = createAccountPreference<Period>('statistics.period', 'day', isOneOf(PERIODS));
  const [startPage, setStartPage] = createStartPage();
  const isAdmin = () => me().role === 'admin';
  const nowS = () => Math.floor(serverNowMs() / 1000);
  // Asked anew with each look: time goes on.
  const query = () => movedQuery(period(), nowS());
  const status = createPolled<StatusDto>(() => '/api/status');
  const rates = createPolled<RatesDto>(() => ratesPath(period()));
  const moved = createPolled<HistoryDto>(() => `/api/stats/history?${query()}`);
  const perDay = createPolled<HistoryDto>(
    () => `/api/stats/history?resolution=day&from=${nowS() - (daysShown(period()) - 1) * 86_400}`,
  );
  const week = createPolled<RatesDto>(() => WEEK_PATH);
  const known = () => (week() ? daysKnown(week()!, nowS()) : 0);
  const traffic = (by: string) => createPolled<TrafficDto>(() => `/api/stats/traffic?by=${by}&${query()}`);
  const ofTrackers = traffic('tracker');
  const ofCategories = traffic('category');
  const ofAccounts = traffic('account');
  const storage = createPolled<StorageDto>(() => '/api/storage');
  const users = createPolled<readonly UserDto[]>(() => (isAdmin() ? '/api/users' : null));

  const [counted, setCounted] = createSignal(0);
  const timer = setInterval(() => setCounted(counted() + 1), COUNT_MS);
  onCleanup(() => clearInterval(timer));
  const torrents = createMemo(() => {
    counted();
    return live.torrents.isLoaded ? [...live.torrents.all.values()] : [];
  });
  const nameOfCategory = createMemo(() => {
    const nameOf = categoryNames();
    return (id: string) => {
      if (id === '') return t('statistics.uncategorized');
      if (id === OTHERS) return t('statistics.others');
      return nameOf(Number(id)) ?? t('statistics.deletedCategory', { id });
    };
  });
  const nameOfTracker = (host: string) =>
    host === '' ? t('statistics.trackerless') : host === OTHERS ? t('statistics.others') : host;
  const open = (id: string) => {
    list.open(id);
    navigate('/');
  };
  return (
    <div class={styles['page']}>
      <header class={styles['head']}>
        <h1>{t('statistics.title')}</h1>
        <div class={styles['periods']} role="group" aria-label={t('statistics.period')}>
          <For each={PERIODS}>
            {(each) => (
              <button type="button" aria-pressed={period() === each} onClick={() => setPeriod(each)}>
                {t(`statistics.periods.${each}`)}
              </button>
            )}
          </For>
        </div>
        <label class={styles['start']} title={t('statistics.startHelp')}>
          <input
            type="checkbox"
            checked={startPage() === 'statistics'}
            onChange={(event) => setStartPage(event.currentTarget.checked ? 'statistics' : 'torrents')}
          />
          {t('statistics.start')}
        </label>
      </header>
      <Sums moved={moved()} status={status()} period={t(`statistics.periods.${period()}`)} />
      <div class={styles['cards']}>
        <section class={`${styles['card']} ${styles['wide']}`} aria-label={t('statistics.speed.title')}>
          <h2>{t('statistics.speed.title')}</h2>
          <Show when={rates()} fallback={<p class={styles['waiting']}>{t('statistics.loading')}</p>}>
            {(each) => <SpeedGraph rates={each()} />}
          </Show>
        </section>
        <section class={styles['card']} aria-label={t('statistics.days.title')}>
          <h2>{t('statistics.days.title')}</h2>
          <Show when={perDay()} fallback={<p class={styles['waiting']}>{t('statistics.loading')}</p>}>
            {(each) => <DayBars days={everyDay(each().points, daysShown(period()), nowS())} />}
          </Show>
        </section>
        <section class={styles['card']} aria-label={t('statistics.ratio.title')}>
          <h2>{t('statistics.ratio.title')}</h2>
          <Show when={perDay() && status()} fallback={<p class={styles['waiting']}>{t('statistics.loading')}</p>}>
            <RatioLine days={everyDay(perDay()!.points, daysShown(period()), nowS())} totals={status()!.all_time} />
          </Show>
        </section>
        <section class={`${styles['card']} ${styles['wide']}`} aria-label={t('statistics.week.title')}>
          <h2>{t('statistics.week.title')}</h2>
          <p class={styles['muted']}>{t('statistics.week.about')}</p>
          <Show when={week()} fallback={<p class={styles['waiting']}>{t('statistics.loading')}</p>}>
            {(each) => <WeekMap rates={each()} />}
          </Show>
        </section>
        <Show when={storage()}>{(each) => <Disks storage={each()} knownDays={known()} />}</Show>
        <Lately torrents={torrents()} onOpen={open} />
        <PartTable
          title="statistics.trackers"
          about="statistics.trackersAbout"
          first="statistics.column.tracker"
          parts={byTracker(torrents(), ofTrackers())}
          nameOf={nameOfTracker}
        />
        <PartTable
          title="statistics.categories"
          first="statistics.column.category"
          parts={byCategory(torrents(), ofCategories())}
          nameOf={nameOfCategory()}
        />
        <Show when={isAdmin() && users() && storage()}>
          <AccountsTable users={users()!} storage={storage()!} traffic={ofAccounts()} />
        </Show>
      </div>
    </div>
  );
}
