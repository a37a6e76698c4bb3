// How the torrents begin: where they are saved, with which labels, paused or not, in order or not, and what else.
import { createSignal, For, Show } from 'solid-js';
import type { AddingBody } from '../../../../../shared-protocol/dto/adding.js';
import { inert } from '../../format/quantities.js';
import { categories, categoryOf, tags } from '../../state/labels.js';
import { createFetched } from '../../state/fetched.js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { onDemand } from '../../ui/on-demand.jsx';
import { PathField } from '../../ui/path-field.jsx';
import { CategorySelect } from './category-select.jsx';
import { OptionFields } from './option-fields.jsx';
import { bodyOf, isWrong, NO_OPTIONS, NUMBERS, type Options } from './options.js';
import styles from './add.module.css';

const NewLabels = onDemand(['labels', 'settings', 'paths'], () => import('./new-labels.jsx'));

export type Beginning = ReturnType<typeof createBeginning>;

export function createBeginning() {
  const defaultPath = createFetched<{ readonly path: string }>('/api/settings/save_path');
  const defaults = createFetched<{ readonly paused: boolean }>('/api/settings/adding');
  const [categoryId, setCategoryId] = createSignal<number | null>(null);
  /** null while it follows the category. */
  const [typedPath, setTypedPath] = createSignal<string | null>(null);
  const [pathError, setPathError] = createSignal<string | null>(null);
  /** null while it is as the setting has it. */
  const [pausedHere, setPaused] = createSignal<boolean | null>(null);
  const [sequential, setSequential] = createSignal(false);
  const [tagIds, setTagIds] = createSignal<readonly number[]>([]);
  const [options, setOptions] = createSignal<Options>(NO_OPTIONS);
  const pathIn = (id: number | null) => categoryOf(id)?.default_save_path || (defaultPath.value()?.path ?? '');
  const paused = () => pausedHere() ?? defaults.value()?.paused ?? false;
  return {
    categoryId,
    setCategoryId,
    paused,
    setPaused,
    sequential,
    setSequential,
    tagIds,
    toggleTag: (id: number, isOn: boolean) =>
      setTagIds((ids) => (isOn ? [...ids.filter((other) => other !== id), id] : ids.filter((other) => other !== id))),
    options,
    setOptions,
    ownPath: () => pathIn(categoryId()),
    pathIn,
    path: () => typedPath() ?? pathIn(categoryId()),
    pathError,
    setPathError,
    /** Nothing typed is nothing said: the place is the category's again. */
    setPath: (path: string) => {
      setTypedPath(path);
      setPathError(null);
    },
    isRefused: () => NUMBERS.some((name) => isWrong(name, options())),
    body: (): AddingBody => ({
      save_path: typedPath()?.trim() ?? '',
      category_id: categoryId(),
      paused: paused(),
      sequential: sequential(),
      ...(tagIds().length > 0 && { tags: [...tagIds()] }),
      ...bodyOf(options()),
    }),
    /** An emptied field follows the category from then on. */
    settlePath: () => typedPath()?.trim() === '' && setTypedPath(null),
  };
}

export function BeginningFields(props: { readonly beginning: Beginning; readonly needed: number }) {
  const made = () => props.beginning;
  const [newLabel, setNewLabel] = createSignal<'category' | 'tag' | null>(null);
  const mayMake = () => may('perm_manage_cat_tags');
  return (
    <>
      <div class={styles['pair']}>
        <Field label={t('add.category')}>
          {(control) => (
            <CategorySelect
              control={control}
              value={made().categoryId()}
              onChange={(id) => made().setCategoryId(id ?? null)}
              onNew={mayMake() ? () => setNewLabel('category') : undefined}
            />
          )}
        </Field>
        <PathField
          label={t('add.savePath')}
          help={t('add.savePathHelp')}
          error={made().pathError()}
          placeholder={made().ownPath()}
          fallback={made().ownPath()}
          value={made().path()}
          needed={props.needed}
          onInput={(path) => made().setPath(path)}
          onBlur={() => made().settlePath()}
        />
      </div>
      <Show when={(tags.value() ?? []).length > 0 || mayMake()}>
        <fieldset class={styles['tags']}>
          <legend>{t('add.tags')}</legend>
          <For each={tags.value()}>
            {({ id, name }) => (
              <label>
                <input
                  type="checkbox"
                  checked={made().tagIds().includes(id)}
                  onChange={(event) => made().toggleTag(id, event.currentTarget.checked)}
                />{' '}
                {inert(name)}
              </label>
            )}
          </For>
          <Show when={mayMake()}>
            <Button look="quiet" onClick={() => setNewLabel('tag')}>
              {t('add.newTag')}
            </Button>
          </Show>
        </fieldset>
      </Show>
      <div class={styles['marks']}>
        <label>
          <input
            type="checkbox"
            checked={made().paused()}
            onChange={(event) => made().setPaused(event.currentTarget.checked)}
          />{' '}
          {t('add.paused')}
        </label>
        <label>
          <input
            type="checkbox"
            checked={made().sequential()}
            onChange={(event) => made().setSequential(event.currentTarget.checked)}
          />{' '}
          {t('add.sequential')}
        </label>
      </div>
      <OptionFields options={made().options()} onOptions={made().setOptions} />
      <Show when={newLabel()} keyed>
        {(kind) => (
          <NewLabels
            kind={kind}
            onClose={() => setNewLabel(null)}
            onMade={(id) =>
              kind === 'category'
                ? void categories.reload().then(() => made().setCategoryId(id))
                : made().toggleTag(id, true)
            }
          />
        )}
      </Show>
    </>
  );
}
