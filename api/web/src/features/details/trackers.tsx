// The trackers: how they answered last, when they are asked next, and which there are.
import { createMemo, createSignal, For, Show } from 'solid-js';
import type { TrackerDto } from '../../../../../shared-protocol/dto/inspector.js';
import { refusedToEdit } from '../../actions/permitted.js';
import { count, dateTime, inert, shortDuration } from '../../format/quantities.js';
import { ApiError, call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { announceNow } from '../../actions/announce.js';
import { openVerb } from '../../state/verb.js';
import { WebSeeds } from './web-seeds.jsx';
import { createClock } from './clock.js';
import { LinesDialog, type Refusal } from './lines-dialog.jsx';
import type { TabProps } from './tabs.js';
import { trackerText } from './tracker-words.js';
import { isBeingRemoved, removeTrackerSoon } from './tracker-removal.js';
import { NotYet } from './waiting.jsx';
import panel from './panel.module.css';
import styles from './table.module.css';

export function Trackers(props: TabProps) {
  const id = () => props.torrent().id;
  const trackers = createMemo(() => props.detail()?.trackers?.filter(({ url }) => !isBeingRemoved(id(), url)) ?? null);
  const [isAdding, setIsAdding] = createSignal(false);
  const refused = () => refusedToEdit([props.torrent()]);
  const add = async (lines: readonly string[]): Promise<Refusal | null> => {
    const refusals: (readonly [url: string, reason: string])[] = [];
    for (const url of lines) {
      try {
        await call('POST', torrentAddress(id(), '/trackers'), { url });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refusals.push([url, error.message]);
      }
    }
    const added = lines.length - refusals.length;
    if (added > 0) showNote({ text: t('details.trackers.added', { count: added }) });
    const reasons = new Set(refusals.map(([, reason]) => reason));
    return refusals.length === 0 ? null : { reason: [...reasons].join('; '), lines: refusals.map(([url]) => url) };
  };
  return (
    <>
      <div class={panel['bar']}>
        <Show when={trackers()}>
          {(known) => <span class="muted">{t('details.trackers.count', { count: known().length })}</span>}
        </Show>
        <span class={panel['space']} />
        <Button look="quiet" refused={refused()} onClick={() => void announceNow([props.torrent()])}>
          {t('verbs.trackers.announce')}
        </Button>
        <Button refused={refused()} onClick={() => openVerb('trackers', [props.torrent()])}>
          {t('verbs.trackers.edit')}
        </Button>
        <Button refused={refused()} onClick={() => setIsAdding(true)}>
          {t('details.trackers.add')}
        </Button>
      </div>
      <Show when={trackers()} fallback={<NotYet error={props.refusal()} />}>
        {(known) => (
          <Show when={known().length > 0} fallback={<p class={panel['empty']}>{t('details.trackers.none')}</p>}>
            <TrackerTable trackers={known()} refused={refused()} onRemove={(url) => removeTrackerSoon(id(), url)} />
          </Show>
        )}
      </Show>
      <WebSeeds seeds={props.detail()?.web_seeds ?? []} />
      <LinesDialog
        title={t('details.trackers.addTitle')}
        label={t('details.trackers.addresses')}
        help={t('details.trackers.addHelp')}
        isOpen={isAdding()}
        onClose={() => setIsAdding(false)}
        onSubmit={add}
      />
    </>
  );
}

const COLUMNS = ['tier', 'url', 'status', 'seeds', 'peers', 'downloaded', 'last', 'next', 'minInterval'] as const;
const NUMBERS: ReadonlySet<string> = new Set(['tier', 'seeds', 'peers', 'downloaded']);

interface TrackerTableProps {
  readonly trackers: readonly TrackerDto[];
  readonly refused: string | null;
  readonly onRemove: (url: string) => void;
}

function TrackerTable(props: TrackerTableProps) {
  const now = createClock();
  const urls = createMemo(() => props.trackers.map(({ url }) => url), [], {
    equals: (a, b) => a.join('\n') === b.join('\n'),
  });
  return (
    <div class={styles['scroll']}>
      <table class={`${styles['table']} ${styles['dense']}`} aria-label={t('details.trackers.title')}>
        <thead>
          <tr>
            <For each={COLUMNS}>{(column) => <th data-numeric={NUMBERS.has(column)}>{titleOf(column)}</th>}</For>
            <td />
          </tr>
        </thead>
        <tbody>
          <For each={urls()}>
            {(url) => {
              // A row may be asked once more after its tracker has gone.
              const tracker = createMemo<TrackerDto>(
                (last) => props.trackers.find((other) => other.url === url) ?? last!,
              );
              return (
                <tr>
                  <td data-numeric="true" data-label={titleOf('tier')}>
                    {count(tracker().tier + 1)}
                  </td>
                  <td class={`${styles['url']} ${styles['lead']}`} title={inert(url)}>
                    {inert(url)}
                  </td>
                  <td class={styles['status']} data-look={lookOf(tracker())} title={trackerText(tracker().status)}>
                    {trackerText(tracker().status)}
                  </td>
                  <td data-numeric="true" data-label={titleOf('seeds')}>
                    {count(tracker().seeds)}
                  </td>
                  <td data-numeric="true" data-label={titleOf('peers')}>
                    {count(tracker().peers)}
                  </td>
                  <td data-numeric="true" data-label={titleOf('downloaded')}>
                    {count(tracker().downloaded)}
                  </td>
                  <td title={dateTime(tracker().last_announce)} data-label={titleOf('last')}>
                    {relative(tracker().last_announce, now())}
                  </td>
                  <td title={dateTime(tracker().next_announce)} data-label={titleOf('next')}>
                    {relative(tracker().next_announce, now())}
                  </td>
                  <td data-label={titleOf('minInterval')}>
                    {tracker().min_interval === 0 ? '' : shortDuration(tracker().min_interval)}
                  </td>
                  <td class={styles['verb']}>
                    <button
                      type="button"
                      class={styles['remove']}
                      aria-label={t('details.trackers.remove', { url: inert(url) })}
                      aria-disabled={props.refused !== null}
                      title={props.refused ?? t('details.trackers.remove', { url: inert(url) })}
                      onClick={() => props.refused === null && props.onRemove(url)}
                    >
                      ×
                    </button>
                  </td>
                </tr>
              );
            }}
          </For>
        </tbody>
      </table>
    </div>
  );
}

function titleOf(column: (typeof COLUMNS)[number]): string {
  return column === 'tier' || column === 'minInterval'
    ? t(`verbs.trackers.${column}`)
    : t(`details.trackers.${column}`);
}

function lookOf({ status }: TrackerDto): 'good' | 'bad' | undefined {
  return status === 'working' ? 'good' : status.startsWith('error') ? 'bad' : undefined;
}

function relative(unixS: number, nowS: number): string {
  if (unixS === 0) return t('details.trackers.never');
  const by = unixS - nowS;
  if (by === 0) return t('details.trackers.now');
  return t(by > 0 ? 'details.trackers.in' : 'details.trackers.ago', { time: shortDuration(Math.abs(by)) });
}
