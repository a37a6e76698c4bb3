// Chooses a category, or makes one. For one torrent of several, that of all may stay.
import { Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { CategoryOptions } from '../labels/category-options.jsx';

const AS_ALL = 'all';
const NEW = 'new';

export interface CategorySelectProps {
  readonly control: { readonly id: string; readonly 'aria-describedby': string };
  /** null: none. undefined: that of all. */
  readonly value: number | null | undefined;
  readonly onChange: (id: number | null | undefined) => void;
  /** Whether that of all can be chosen. */
  readonly isOfOne?: boolean;
  readonly onNew?: (() => void) | undefined;
}

export function CategorySelect(props: CategorySelectProps) {
  const shown = () => (props.value === undefined ? AS_ALL : String(props.value ?? ''));
  return (
    <select
      {...props.control}
      onChange={(event) => {
        const { value } = event.currentTarget;
        // What is chosen until there is the new one.
        if (value === NEW) event.currentTarget.value = shown();
        if (value === NEW) return props.onNew?.();
        props.onChange(value === AS_ALL ? undefined : value === '' ? null : Number(value));
      }}
    >
      <Show when={props.isOfOne}>
        <option value={AS_ALL} selected={shown() === AS_ALL}>
          {t('add.asAll')}
        </option>
      </Show>
      <option value="" selected={shown() === ''}>
        {t('filter.noCategory')}
      </option>
      <CategoryOptions chosen={props.value ?? null} />
      <Show when={props.onNew}>
        <option value={NEW}>{t('add.newCategory')}</option>
      </Show>
    </select>
  );
}
