// What is wanted of one source alone: its files, another name, and of one among several another category and place.
import { Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { PathField } from '../../ui/path-field.jsx';
import { CategorySelect } from './category-select.jsx';
import { FileChoice } from './file-choice.jsx';
import { wantedBytes, type Plan } from './plans.js';
import styles from './add.module.css';

export interface SourceDetailsProps {
  readonly plan: Plan;
  readonly onPlan: (change: Partial<Plan>) => void;
  /** The name while it is given no other. */
  readonly name: string;
  readonly isOneOfSeveral: boolean;
  /** Where torrents of a category are saved. */
  readonly pathIn: (categoryId: number | null) => string;
  readonly pathOfAll: string;
}

export function SourceDetails(props: SourceDetailsProps) {
  /** null: not known, or there is nothing to choose. */
  const chosenFrom = () => {
    const { look } = props.plan;
    return look.kind === 'known' && look.torrent.file_count > 1 ? look.torrent : null;
  };
  const fallback = () => {
    const { categoryId } = props.plan;
    return categoryId === undefined ? props.pathOfAll : props.pathIn(categoryId);
  };
  return (
    <div class={styles['details']}>
      <Show when={chosenFrom()} keyed>
        {(torrent) => (
          <FileChoice
            torrent={torrent}
            skipped={props.plan.skipped}
            onSkipped={(skipped) => props.onPlan({ skipped })}
          />
        )}
      </Show>
      <Field label={t('add.rename')}>
        {(control) => (
          <input
            {...control}
            autocomplete="off"
            spellcheck={false}
            maxlength={240}
            placeholder={props.name}
            value={props.plan.name}
            onInput={(event) => props.onPlan({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Show when={props.isOneOfSeveral}>
        <div class={styles['pair']}>
          <Field label={t('add.ownCategory')}>
            {(control) => (
              <CategorySelect
                control={control}
                isOfOne
                value={props.plan.categoryId}
                onChange={(categoryId) => props.onPlan({ categoryId })}
              />
            )}
          </Field>
          <PathField
            label={t('add.ownPath')}
            placeholder={fallback()}
            fallback={fallback()}
            value={props.plan.path}
            needed={wantedBytes(props.plan)}
            onInput={(path) => props.onPlan({ path })}
          />
        </div>
      </Show>
    </div>
  );
}
