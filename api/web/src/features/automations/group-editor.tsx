// Conditions that are joined, and groups of them within.
import { For, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { ConditionEditor } from './condition-editor.jsx';
import { newGroup, newLeaf, type GroupDraft } from './draft.js';
import type { Problems } from './read-draft.js';
import styles from './rule-form.module.css';

/** Groups within groups within the rule, as the server has it. */
const MAX_DEPTH = 3;
export const MAX_CONDITIONS = 20;

export interface GroupEditorProps {
  readonly group: GroupDraft;
  /** '' for the rule's own. */
  readonly place: string;
  readonly depth: number;
  /** Conditions of the rule, in all groups. */
  readonly count: number;
  readonly problems: Problems;
}

export function GroupEditor(props: GroupEditorProps) {
  const placeOf = (index: number) => (props.place === '' ? `${index + 1}` : `${props.place}.${index + 1}`);
  const full = () => (props.count >= MAX_CONDITIONS ? t('automations.form.tooMany', { max: MAX_CONDITIONS }) : null);
  const lastOne = () => (props.group.items.length === 1 ? t('automations.form.lastOne') : null);
  return (
    <div class={styles['group']} data-inner={props.depth > 0}>
      <select
        class={styles['match']}
        aria-label={
          props.place === '' ? t('automations.form.match') : `${t('automations.form.match')} (${props.place})`
        }
        onChange={(event) => (props.group.match = event.currentTarget.value as 'all' | 'any')}
      >
        <For each={['all', 'any'] as const}>
          {(match) => (
            <option value={match} selected={props.group.match === match}>
              {t(`automations.form.${match}`)}
            </option>
          )}
        </For>
      </select>
      <For each={props.group.items}>
        {(item, index) => (
          <div class={styles['item']}>
            <div class={styles['part']}>
              {item.kind === 'group' ? (
                <GroupEditor {...props} group={item} place={placeOf(index())} depth={props.depth + 1} />
              ) : (
                <ConditionEditor leaf={item} place={placeOf(index())} problem={props.problems.get(item.key) ?? null} />
              )}
              <Show when={props.problems.get(item.key)}>
                <p class={styles['problem']}>{props.problems.get(item.key)}</p>
              </Show>
            </div>
            <Button
              look="quiet"
              class={styles['drop']}
              aria-label={t(
                item.kind === 'group' ? 'automations.form.removeGroup' : 'automations.form.removeCondition',
                {
                  place: placeOf(index()),
                },
              )}
              refused={lastOne()}
              onClick={() => (props.group.items = props.group.items.filter((each) => each !== item))}
            >
              <Icon name="close" size={16} />
            </Button>
          </div>
        )}
      </For>
      <div class={styles['adders']}>
        <Button refused={full()} onClick={() => props.group.items.push(newLeaf())}>
          {t('automations.form.addCondition')}
        </Button>
        <Show when={props.depth < MAX_DEPTH - 1}>
          <Button refused={full()} onClick={() => props.group.items.push(newGroup())}>
            {t('automations.form.addGroup')}
          </Button>
        </Show>
      </div>
    </div>
  );
}
