// Making and changing a category or a tag.
import { Show } from 'solid-js';
import type { CategoryDto, TagDto } from '../../../../../shared-protocol/dto/labels.js';
import { call } from '../../net/http.js';
import { categories, tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { flag, text } from '../settings/codecs.js';
import { CheckControl, TextControl } from '../settings/controls.jsx';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { PathControl } from '../settings/path-control.jsx';
import { ColorControl } from './color-control.jsx';

export type CategoryDraft = Omit<CategoryDto, 'id'> & { readonly id: number | null };
export type TagDraft = Omit<TagDto, 'id'> & { readonly id: number | null };

export const NO_CATEGORY: CategoryDraft = { id: null, name: '', default_save_path: '', auto_move: false, color: '' };
export const NO_TAG: TagDraft = { id: null, name: '', color: '' };

interface Closing {
  readonly onClose: () => void;
  /** Told the id of a new one. */
  readonly onMade?: ((id: number) => void) | undefined;
}

/** `category`: null while it is closed. */
export function CategoryDialog(props: Closing & { readonly category: CategoryDraft | null }) {
  const title = () => (props.category?.id ? t('labels.editCategory') : t('labels.newCategory'));
  return (
    <Dialog title={title()} isOpen={props.category !== null} onClose={props.onClose}>
      <Show when={props.category} keyed>
        {(category) => <CategoryForm category={category} onClose={props.onClose} onMade={props.onMade} />}
      </Show>
    </Dialog>
  );
}

function CategoryForm(props: Closing & { readonly category: CategoryDraft }) {
  const form = createForm<Omit<CategoryDto, 'id'>>({
    codecs: { name: text, default_save_path: text, auto_move: flag, color: text },
    source: () => props.category,
    async save(values) {
      const { id } = props.category;
      await store('/api/categories', id, values, props.onMade);
      await categories.reload();
    },
  });
  return (
    <FormFrame form={form} onClose={props.onClose}>
      <TextControl form={form} name="name" label={t('labels.name')} help={t('labels.categoryNameHelp')} />
      <PathControl form={form} name="default_save_path" label={t('labels.path')} help={t('labels.pathHelp')} />
      <CheckControl form={form} name="auto_move" label={t('labels.autoMove')} help={t('labels.autoMoveHelp')} />
      <ColorControl form={form} name="color" />
    </FormFrame>
  );
}

/** `tag`: null while it is closed. */
export function TagDialog(props: Closing & { readonly tag: TagDraft | null }) {
  const title = () => (props.tag?.id ? t('labels.editTag') : t('labels.newTag'));
  return (
    <Dialog size="small" title={title()} isOpen={props.tag !== null} onClose={props.onClose}>
      <Show when={props.tag} keyed>
        {(tag) => <TagForm tag={tag} onClose={props.onClose} onMade={props.onMade} />}
      </Show>
    </Dialog>
  );
}

function TagForm(props: Closing & { readonly tag: TagDraft }) {
  const form = createForm<Omit<TagDto, 'id'>>({
    codecs: { name: text, color: text },
    source: () => props.tag,
    async save(values) {
      await store('/api/tags', props.tag.id, values, props.onMade);
      await tags.reload();
    },
  });
  return (
    <FormFrame form={form} onClose={props.onClose}>
      <TextControl form={form} name="name" label={t('labels.name')} help={t('labels.tagNameHelp')} />
      <ColorControl form={form} name="color" />
    </FormFrame>
  );
}

async function store(path: string, id: number | null, values: object, onMade?: (id: number) => void): Promise<void> {
  if (id !== null) return call('PUT', path, { ...values, id });
  const made = await call<{ readonly id: number }>('POST', path, values);
  onMade?.(made.id);
}
