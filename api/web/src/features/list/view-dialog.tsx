// Asks for the name of a view, and says what will be kept under it.
import { createSignal, Show } from 'solid-js';
import { inert } from '../../format/quantities.js';
import type { Filter } from '../../state/filter.js';
import { MAX_VIEW_NAME_LENGTH, MAX_VIEWS, viewNamed } from '../../state/saved-views.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { Field } from '../../ui/field.jsx';
import { COLUMNS } from './columns.jsx';
import { facetText } from './facet-text.js';
import type { ListModel } from './list-model.js';
import type { ViewQuestion } from './saved-views.js';
import styles from './view-dialog.module.css';

export interface ViewDialogProps {
  readonly model: ListModel;
  readonly question: ViewQuestion;
}

export default function ViewDialog(props: ViewDialogProps) {
  const { views } = props.model;
  const renaming = () => (props.question.kind === 'rename' ? props.question.view : null);
  const [name, setName] = createSignal((renaming() ?? views.opened())?.name ?? '');
  const [isTried, setIsTried] = createSignal(false);
  const problem = () => {
    const view = renaming();
    return view ? views.problemOfRenaming(view, name()) : views.problemOfKeeping(name());
  };
  // That it has none yet is said when it is tried.
  const said = () => (problem() === 'nameless' && !isTried() ? null : problem());
  const replaced = () => (renaming() ? undefined : viewNamed(views.all(), name()));
  const close = () => views.ask(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (problem()) return;
    const view = renaming();
    if (view) views.rename(view, name());
    else views.keep(name());
    close();
  };
  return (
    <Dialog size="small" title={t(renaming() ? 'views.renameTitle' : 'views.saveTitle')} isOpen onClose={close}>
      <form class={styles['form']} noValidate onSubmit={submit}>
        <Field
          label={t('views.name')}
          help={replaced() ? t('views.replaces', { name: inert(replaced()?.name ?? '') }) : undefined}
          error={said() && t(`views.problem.${said()!}`, { length: MAX_VIEW_NAME_LENGTH, count: MAX_VIEWS })}
        >
          {(control) => (
            <input
              {...control}
              autocomplete="off"
              aria-invalid={said() !== null}
              value={name()}
              ref={(input) => setTimeout(() => input.select())}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Show when={!renaming()}>
          <p class={styles['what']}>{whatIsKept(props.model)}</p>
        </Show>
        <div class={styles['buttons']}>
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button look="primary" type="submit">
            {t(renaming() ? 'views.rename' : replaced() ? 'views.replace' : 'common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function whatIsKept({ filter, sort }: ListModel): string {
  const { key, descending } = sort();
  const column = COLUMNS.find((each) => each.key === key);
  return t('views.keeps', {
    filter: filterText(filter()) || t('views.everything'),
    column: column ? t(column.title) : key,
    direction: t(descending ? 'list.descending' : 'list.ascending'),
  });
}

function filterText({ only, not, search }: Filter): string {
  const texts = [...only.map(facetText), ...not.map((key) => t('filter.not', { text: facetText(key) }))];
  return [...texts, inert(search.trim())].filter(Boolean).join(', ');
}
