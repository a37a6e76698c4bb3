// When torrents have seeded enough and what is done with them then, part by part: by default, without limit, or their
// own. What the defaults come to is said where it is known.
import { For, Show } from 'solid-js';
import type { SeedingInForceDto } from '../../../../../shared-protocol/dto/seeding.js';
import { inert } from '../../format/quantities.js';
import { tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { LIMITS, problemsOf, type LimitName, type SeedingAction, type SeedingDraft } from './seeding-draft.js';
import styles from './verbs.module.css';

const NAMES = {
  ratio_limit: 'verbs.seeding.ratio',
  time_min_limit: 'verbs.seeding.time',
  inactive_min_limit: 'verbs.seeding.inactive',
} as const;
const ACTIONS = {
  pause: 'verbs.seeding.pause',
  super_seed: 'verbs.seeding.super_seed',
  tag: 'verbs.seeding.tagAction',
  remove: 'verbs.seeding.remove',
  remove_with_data: 'verbs.seeding.remove_with_data',
} as const;
const REMOVING: ReadonlySet<SeedingAction> = new Set(['remove', 'remove_with_data']);

export interface SeedingFieldsProps {
  readonly draft: SeedingDraft;
  readonly onDraft: (draft: SeedingDraft) => void;
  /** The rule that holds now; null: of several torrents, or not known yet. */
  readonly now: SeedingInForceDto | null;
  readonly isDisabled: boolean;
  /** Only owners may have it removed. */
  readonly isOwner: boolean;
}

export function SeedingFields(props: SeedingFieldsProps) {
  const problems = () => problemsOf(props.draft);
  const inherited = (part: LimitName | 'action') => {
    const now = props.now;
    const from = now?.from[part];
    if (!now || !from || from === 'torrent') return t('verbs.seeding.inherit');
    const value = now.in_force[part];
    const said =
      part === 'action' ? t(ACTIONS[now.in_force.action]) : value === null ? t('verbs.seeding.isNone') : String(value);
    return t('verbs.seeding.inheritNow', { now: `${t(`verbs.seeding.from.${from}`)}: ${said}` });
  };
  const setLimit = (name: LimitName, change: Partial<SeedingDraft['limits'][LimitName]>) =>
    props.onDraft({
      ...props.draft,
      limits: { ...props.draft.limits, [name]: { ...props.draft.limits[name], ...change } },
    });
  return (
    <>
      <For each={LIMITS}>
        {(name) => {
          const limit = () => props.draft.limits[name];
          const wrong = () => t(name === 'ratio_limit' ? 'verbs.seeding.number' : 'verbs.seeding.whole');
          return (
            <div class={styles['pair']}>
              <Field label={t(NAMES[name])}>
                {(control) => (
                  <select
                    {...control}
                    disabled={props.isDisabled}
                    onChange={(event) =>
                      setLimit(name, { mode: event.currentTarget.value as 'inherit' | 'none' | 'own' })
                    }
                  >
                    <For each={['inherit', 'none', 'own'] as const}>
                      {(mode) => (
                        <option value={mode} selected={limit().mode === mode}>
                          {mode === 'inherit' ? inherited(name) : t(`verbs.seeding.${mode}`)}
                        </option>
                      )}
                    </For>
                  </select>
                )}
              </Field>
              <Show when={limit().mode === 'own'}>
                <Field
                  label={t('verbs.seeding.value', { what: t(NAMES[name]) })}
                  error={problems().has(name) ? wrong() : null}
                >
                  {(control) => (
                    <input
                      {...control}
                      inputmode={name === 'ratio_limit' ? 'decimal' : 'numeric'}
                      disabled={props.isDisabled}
                      value={limit().text}
                      onInput={(event) => setLimit(name, { text: event.currentTarget.value })}
                    />
                  )}
                </Field>
              </Show>
            </div>
          );
        }}
      </For>
      <div class={styles['pair']}>
        <Field label={t('verbs.seeding.action')} help={props.isOwner ? undefined : t('verbs.seeding.owners')}>
          {(control) => (
            <select
              {...control}
              disabled={props.isDisabled}
              onChange={(event) =>
                props.onDraft({ ...props.draft, action: event.currentTarget.value as SeedingDraft['action'] })
              }
            >
              <option value="inherit" selected={props.draft.action === 'inherit'}>
                {inherited('action')}
              </option>
              <For each={Object.keys(ACTIONS) as SeedingAction[]}>
                {(action) => (
                  <option
                    value={action}
                    selected={props.draft.action === action}
                    disabled={REMOVING.has(action) && !props.isOwner}
                  >
                    {t(ACTIONS[action])}
                  </option>
                )}
              </For>
            </select>
          )}
        </Field>
        <Show when={props.draft.action === 'tag'}>
          <Field label={t('verbs.seeding.tag')} error={problems().has('tag') ? t('verbs.seeding.chooseTag') : null}>
            {(control) => (
              <select
                {...control}
                disabled={props.isDisabled}
                onChange={(event) =>
                  props.onDraft({ ...props.draft, tagId: Number(event.currentTarget.value) || null })
                }
              >
                <option value="">{t('verbs.seeding.chooseTag')}</option>
                <For each={tags.value()}>
                  {({ id, name }) => (
                    <option value={id} selected={props.draft.tagId === id}>
                      {inert(name)}
                    </option>
                  )}
                </For>
              </select>
            )}
          </Field>
        </Show>
      </div>
      <p class="muted">{t('verbs.seeding.about')}</p>
    </>
  );
}
