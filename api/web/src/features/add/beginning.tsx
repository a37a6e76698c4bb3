// How the torrents begin: where they are saved, in which category, paused or not, in order or not.
import { createSignal, For } from 'solid-js';
import type { BeginningBody } from '../../../../../shared-protocol/dto/torrents.js';
import { categories, categoryOf } from '../../state/labels.js';
import { createRemote } from '../../state/resource.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { PathField } from '../../ui/path-field.jsx';
import styles from './add.module.css';

export type Beginning = ReturnType<typeof createBeginning>;

export function createBeginning() {
  const defaultPath = createRemote<{ readonly path: string }>('/api/settings/save_path');
  const [categoryId, setCategoryId] = createSignal<number | null>(null);
  /** null while it follows the category. */
  const [typedPath, setTypedPath] = createSignal<string | null>(null);
  const [paused, setPaused] = createSignal(false);
  const [sequential, setSequential] = createSignal(false);
  const ownPath = () => categoryOf(categoryId())?.default_save_path || (defaultPath.value()?.path ?? '');
  return {
    categoryId,
    setCategoryId,
    paused,
    setPaused,
    sequential,
    setSequential,
    ownPath,
    path: () => typedPath() ?? ownPath(),
    /** Nothing typed is nothing said: the place is the category's again. */
    setPath: (path: string) => setTypedPath(path),
    body: (): BeginningBody => ({
      save_path: typedPath()?.trim() ?? '',
      category_id: categoryId(),
      paused: paused(),
      sequential: sequential(),
    }),
    /** An emptied field follows the category from then on. */
    settlePath: () => typedPath()?.trim() === '' && setTypedPath(null),
  };
}

export function BeginningFields(props: { readonly beginning: Beginning }) {
  const made = () => props.beginning;
  return (
    <>
      <div class={styles['pair']}>
        <Field label={t('add.category')}>
          {(control) => (
            <select
              {...control}
              value={made().categoryId() ?? ''}
              onChange={({ currentTarget: { value } }) => made().setCategoryId(value === '' ? null : Number(value))}
            >
              <option value="">{t('filter.noCategory')}</option>
              <For each={categories.value()}>{({ id, name }) => <option value={id}>{name}</option>}</For>
            </select>
          )}
        </Field>
        <PathField
          label={t('add.savePath')}
          help={t('add.savePathHelp')}
          placeholder={made().ownPath()}
          fallback={made().ownPath()}
          value={made().path()}
          onInput={(path) => made().setPath(path)}
          onBlur={() => made().settlePath()}
        />
      </div>
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
    </>
  );
}
