// One rule in the list: what it does in words, when it last did something, and what can be done with it.
import { Show, type JSX } from 'solid-js';
import type { AutomationDto } from '../../../../../shared-protocol/dto/automations.js';
import { dateTime, duration, inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import lists from '../settings/item-list.module.css';
import { actionsWords, groupWords } from './rule-words.js';
import styles from './automations.module.css';

const MINUTE_S = 60;

export interface RuleItemProps {
  readonly rule: AutomationDto;
  /** The name of the account, where it is another's. */
  readonly owner?: string;
  readonly onHistory: () => void;
  /** Buttons for its owner alone. */
  readonly children?: JSX.Element;
}

export function RuleItem(props: RuleItemProps) {
  const conditions = () => {
    const { when, for_minutes: minutes } = props.rule;
    const words = t('automations.when', { conditions: groupWords(when) });
    return minutes === 0 ? words : `${words} · ${t('automations.waits', { time: duration(minutes * MINUTE_S) })}`;
  };
  return (
    <li
      class={lists['item']}
      data-edge={props.rule.enabled && props.rule.held === null ? 'good' : 'none'}
      data-rule={props.rule.id}
    >
      <div class={lists['words']}>
        <span class={lists['head']}>
          <strong>{inert(props.rule.name)}</strong>
          <Show when={props.owner}>
            <span class={lists['mark']}>{props.owner}</span>
          </Show>
          <Show when={props.rule.scope === 'visible'}>
            <span class={lists['mark']}>{t('automations.everyTorrent')}</span>
          </Show>
          <Show when={!props.rule.enabled}>
            <span class={lists['mark']}>{t('automations.off')}</span>
          </Show>
        </span>
        <span>{conditions()}</span>
        <span>{t('automations.then', { actions: actionsWords(props.rule.actions) })}</span>
        <Show when={props.rule.held}>
          {(held) => (
            <span class={styles['held']} role="note">
              {t('automations.held', { count: held().torrents, max: props.rule.max_removals })}
            </span>
          )}
        </Show>
        <span class="muted">
          {props.rule.last_run === 0
            ? t('automations.neverRan')
            : t('automations.lastRan', { when: dateTime(props.rule.last_run) })}
        </span>
      </div>
      <div class={lists['tools']}>
        {props.children}
        <Button
          aria-label={t('automations.showHistory', { name: inert(props.rule.name) })}
          onClick={() => props.onHistory()}
        >
          {t('automations.history')}
        </Button>
      </div>
    </li>
  );
}
