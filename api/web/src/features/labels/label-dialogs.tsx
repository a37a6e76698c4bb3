// Making a category or a tag, and changing a category; the server knows no change of a tag.
import { Show } from 'solid-js';
import type { CategoryDto } from '../../../../../shared-protocol/dto/labels.js';
import { call } from '../../net/http.js';
import { categories, tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { flag, text } from '../settings/codecs.js';
import { CheckControl, TextControl } from '../settings/controls.jsx';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { ColorControl } from './color-control.jsx';

export type CategoryDraft = Omit<CategoryDto, 'id'> & { readonly id: number | null };

export function CategoryDialog(props: { readonly category: CategoryDraft | null; readonly onClose: () => void }) {
  const title = () => (props.category?.id ? t('labels.editCategory') : t('labels.newCategory'));
  return (
    <Dialog title={title()} isOpen={props.category !== null} onClose={props.onClose}>
      <Show when={props.category} keyed>
        {(category) => <CategoryForm category={category} onClose={props.onClose} />}
      </Show>
    </Dialog>
  );
}

function CategoryForm(props: { readonly category: CategoryDraft; readonly onClose: () => void }) {
  const form = createForm<Omit<CategoryDto, 'id'>>({
    codecs: { name: text, default_save_path: text, auto_move: flag, color: text },
    source: () => props.category,
    async save(values) {
      const { id } = props.category;
      await call(id === null ? 'POST' : 'PUT', '/api/categories', { ...values, ...(id === null ? {} : { id }) });
      await categories.reload();
    },
  });
  return (
    <FormFrame form={form} onSaved={props.onClose} onCancel={props.onClose}>
      <TextControl form={form} name="name" label={t('labels.name')} help={t('labels.categoryNameHelp')} />
      <TextControl form={form} name="default_save_path" label={t('labels.path')} help={t('labels.pathHelp')} />
      <CheckControl form={form} name="auto_move" label={t('labels.autoMove')} help={t('labels.autoMoveHelp')} />
      <ColorControl form={form} name="color" />
    </FormFrame>
  );
}

export function TagDialog(props: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog size="small" title={t('labels.newTag')} isOpen={props.isOpen} onClose={props.onClose}>
      <TagForm onClose={props.onClose} />
    </Dialog>
  );
}

function TagForm(props: { readonly onClose: () => void }) {
  const form = createForm({
    codecs: { name: text, color: text },
    source: () => ({ name: '', color: '' }),
    async save(values) {
      await call('POST', '/api/tags', values);
      await tags.reload();
    },
  });
  return (
    <FormFrame form={form} onSaved={props.onClose} onCancel={props.onClose}>
      <TextControl form={form} name="name" label={t('labels.name')} help={t('labels.tagNameHelp')} />
      <ColorControl form={form} name="color" />
    </FormFrame>
  );
}
