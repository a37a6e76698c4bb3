// What a rule did last: when, to which torrents, and what failed.
import { For, Show, type JSX } from 'solid-js';
import type { AutomationDto, AutomationRun } from '../../../../../shared-protocol/dto/automations.js';
import { dateTime, inert } from '../../format/quantities.js';
import { worded } from '../../net/worded.js';
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import type { ActionName } from './draft.js';
import styles from './automations.module.css';

export function HistoryDialog(props: { readonly rule: AutomationDto | null; readonly onClose: () => void }) {
  return (
    <Dialog
      title={t('automations.runs.title', { name: inert(props.rule?.name ?? '') })}
      isOpen={props.rule !== null}
      onClose={props.onClose}
    >
      <Show when={props.rule} keyed>
        {(rule) => <Runs id={rule.id} />}
      </Show>
    </Dialog>
  );
}

function Runs(props: { readonly id: number }): JSX.Element {
  const runs = createFetched<readonly AutomationRun[]>(`/api/automations/${props.id}/history`);
  const actions = (names: readonly string[]) =>
    names.map((name) => t(`automations.action.${name as ActionName}`)).join(', ');
  return (
    <Show when={runs.value()?.length !== 0} fallback={<p class="muted">{t('automations.runs.none')}</p>}>
      <Show when={runs.error()}>{(error) => <p role="alert">{error()}</p>}</Show>
      <ol class={styles['runs']}>
        <For each={runs.value()}>
          {(run) => (
            <li>
              <p class={styles['runHead']}>
                <strong>{dateTime(run.at)}</strong>{' '}
                <span>
                  {run.kind === 'held'
                    ? t('automations.runs.held', { count: run.torrents })
                    : t('automations.runs.acted', { count: run.torrents })}
                </span>{' '}
                <Show when={run.failed > 0}>
                  <span class="bad">{t('automations.runs.failed', { count: run.failed })}</span>
                </Show>
              </p>
              <ul class={styles['shown']}>
                <For each={run.shown}>
                  {(torrent) => (
                    <li>
                      <bdi>{inert(torrent.name)}</bdi>
                      <span class="muted">{actions(torrent.actions)}</span>
                      <Show when={torrent.error}>
                        {(error) => <span class="bad">{inert(worded(error(), torrent.reason))}</span>}
                      </Show>
                    </li>
                  )}
                </For>
                <Show when={run.torrents > run.shown.length}>
                  <li class="muted">{t('automations.runs.more', { count: run.torrents - run.shown.length })}</li>
                </Show>
              </ul>
            </li>
          )}
        </For>
      </ol>
    </Show>
  );
}
