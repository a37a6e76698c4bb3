// What a rule would do now, to which torrents, and why not to others.
import { For, Show } from 'solid-js';
import type { AutomationFields, AutomationPreview } from '../../../../../shared-protocol/dto/automations.js';
import { count, inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import type { ActionName } from './draft.js';
import { failingWords } from './rule-words.js';
import styles from './rule-form.module.css';

export interface DryRunProps {
  /** The rule that was asked about. */
  readonly rule: AutomationFields;
  readonly result: AutomationPreview;
  readonly isOutdated: boolean;
}

export function DryRun(props: DryRunProps) {
  const actions = (of: AutomationPreview['matches'][number]['actions']) =>
    of
      .map(({ action, outcome }) => {
        const what = t(`automations.action.${action as ActionName}`);
        return `${what}: ${t(`automations.dryRun.outcome.${outcome}`)}`;
      })
      .join('; ');
  const summary = () => {
    const { torrents, matching, acting } = props.result;
    if (torrents === 0) return t('automations.dryRun.none');
    return t('automations.dryRun.result', { count: torrents, matching, acting });
  };
  return (
    <div class={styles['dryRun']} data-outdated={props.isOutdated}>
      <p>
        <strong>{summary()}</strong>
      </p>
      <Show when={props.isOutdated}>
        <p class={styles['warning']}>{t('automations.dryRun.outdated')}</p>
      </Show>
      <Show when={props.result.would_hold}>
        <p class={styles['warning']}>{t('automations.dryRun.wouldHold')}</p>
      </Show>
      <Show when={!props.result.complete}>
        <p class={styles['warning']}>{t('automations.dryRun.incomplete')}</p>
      </Show>
      <Show when={props.result.matches.length > 0}>
        <h3>{t('automations.dryRun.matches')}</h3>
        <ul class={styles['torrents']} aria-label={t('automations.dryRun.matches')}>
          <For each={props.result.matches}>
            {(torrent) => (
              <li data-acts={torrent.actions.some(({ outcome }) => outcome === 'do')}>
                <bdi class={styles['torrent']}>{inert(torrent.name)}</bdi>
                <span class={styles['outcome']}>{actions(torrent.actions)}</span>
              </li>
            )}
          </For>
        </ul>
        <Show when={props.result.matching > props.result.matches.length}>
          <p class="muted">{t('automations.dryRun.first', { count: props.result.matches.length })}</p>
        </Show>
      </Show>
      <Show when={props.result.misses.length > 0}>
        <details>
          <summary>
            {t('automations.dryRun.misses')} ({count(props.result.torrents - props.result.matching)})
          </summary>
          <ul class={styles['torrents']} aria-label={t('automations.dryRun.misses')}>
            <For each={props.result.misses}>
              {(torrent) => (
                <li>
                  <bdi class={styles['torrent']}>{inert(torrent.name)}</bdi>
                  <span class={styles['outcome']}>
                    {t('automations.dryRun.failing', { condition: failingWords(props.rule, torrent.failing) })}
                  </span>
                </li>
              )}
            </For>
          </ul>
          <Show when={props.result.torrents - props.result.matching > props.result.misses.length}>
            <p class="muted">{t('automations.dryRun.first', { count: props.result.misses.length })}</p>
          </Show>
        </details>
      </Show>
    </div>
  );
}
