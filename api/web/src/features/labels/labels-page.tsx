// Categories and tags: what there is, and making, changing and deleting it.
import { createSignal, onMount, Show, type JSX } from 'solid-js';
import type { CategoryDto, TagDto } from '../../../../../shared-protocol/dto/labels.js';
import { attempt } from '../../actions/perform.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { categories, tags } from '../../state/labels.js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import { Section } from '../settings/section.jsx';
import { useShell } from '../shell/shell.jsx';
import { CategoryDialog, NO_CATEGORY, NO_TAG, TagDialog, type CategoryDraft, type TagDraft } from './label-dialogs.jsx';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import lists from '../settings/item-list.module.css';
import styles from './labels.module.css';

const refused = () => (may('perm_manage_cat_tags') ? null : t('permission.labels'));

export default function LabelsPage() {
  // Others may have changed them since they were first read.
  onMount(() => void Promise.all([categories.reload(), tags.reload()]));
  return (
    <>
      <Show when={refused()}>
        <p class={styles['refused']}>{refused()}</p>
      </Show>
      <Categories />
      <Tags />
    </>
  );
}

function Categories() {
  const { live } = useShell();
  const [edited, setEdited] = createSignal<CategoryDraft | null>(null);
  const [leaving, setLeaving] = createSignal<CategoryDto | null>(null);
  return (
    <Section title={t('labels.categories')} about={t('labels.categoriesAbout')}>
      <Rows
        of={categories.value()}
        name={t('labels.categories')}
        empty={t('labels.noCategories')}
        count={({ id }) => live.torrents.facets.count(`category:${id}`)}
        about={({ default_save_path }) => inert(default_save_path) || t('labels.defaultPath')}
        onEdit={setEdited}
        onDelete={setLeaving}
      />
      <div>
        <Button refused={refused()} onClick={() => setEdited(NO_CATEGORY)}>
          {t('labels.newCategory')}
        </Button>
      </div>
      <CategoryDialog category={edited()} onClose={() => setEdited(null)} />
      <DeleteDialog
        label={leaving()}
        kind="categories"
        count={live.torrents.facets.count(`category:${leaving()?.id ?? 0}`)}
        onClose={() => setLeaving(null)}
        onDeleted={categories.reload}
      />
    </Section>
  );
}

function Tags() {
  const { live } = useShell();
  const [edited, setEdited] = createSignal<TagDraft | null>(null);
  const [leaving, setLeaving] = createSignal<TagDto | null>(null);
  return (
    <Section title={t('labels.tags')} about={t('labels.tagsAbout')}>
      <Rows
        of={tags.value()}
        name={t('labels.tags')}
        empty={t('labels.noTags')}
        count={({ id }) => live.torrents.facets.count(`tag:${id}`)}
        onEdit={setEdited}
        onDelete={setLeaving}
      />
      <div>
        <Button refused={refused()} onClick={() => setEdited(NO_TAG)}>
          {t('labels.newTag')}
        </Button>
      </div>
      <TagDialog tag={edited()} onClose={() => setEdited(null)} />
      <DeleteDialog
        label={leaving()}
        kind="tags"
        count={live.torrents.facets.count(`tag:${leaving()?.id ?? 0}`)}
        onClose={() => setLeaving(null)}
        onDeleted={tags.reload}
      />
    </Section>
  );
}

interface RowsProps<Label extends TagDto> {
  readonly of: readonly Label[] | null;
  readonly name: string;
  readonly empty: string;
  readonly count: (label: Label) => number;
  readonly about?: (label: Label) => JSX.Element;
  readonly onEdit: (label: Label) => void;
  readonly onDelete: (label: Label) => void;
}

function Rows<Label extends TagDto>(props: RowsProps<Label>) {
  return (
    <Show when={props.of?.length !== 0} fallback={<p class="muted">{props.empty}</p>}>
      <ul class={lists['list']} aria-label={props.name}>
        <ForKeyed each={props.of} keyOf={({ id }) => id}>
          {(label) => (
            <li class={lists['item']}>
              <span class={lists['words']}>
                <span>
                  <span class={styles['dot']} style={{ background: label().color || 'transparent' }} />{' '}
                  <strong>{inert(label().name)}</strong>
                </span>
                <span class="muted">
                  <Show when={props.about}>{props.about?.(label())} · </Show>
                  {t('list.shown', { count: props.count(label()) })}
                </span>
              </span>
              <Show when={!refused()}>
                <div class={lists['tools']}>
                  <Button
                    aria-label={t('labels.editOne', { name: inert(label().name) })}
                    onClick={() => props.onEdit(label())}
                  >
                    {t('settings.edit')}
                  </Button>
                  <Button
                    aria-label={t('labels.deleteOne', { name: inert(label().name) })}
                    onClick={() => props.onDelete(label())}
                  >
                    {t('settings.delete')}
                  </Button>
                </div>
              </Show>
            </li>
          )}
        </ForKeyed>
      </ul>
    </Show>
  );
}

interface DeleteDialogProps {
  readonly label: TagDto | null;
  readonly kind: 'categories' | 'tags';
  readonly count: number;
  readonly onClose: () => void;
  readonly onDeleted: () => Promise<void>;
}

function DeleteDialog(props: DeleteDialogProps) {
  const remove = async () => {
    const id = props.label?.id;
    props.onClose();
    await attempt(() => call('DELETE', `/api/${props.kind}/${id}`));
    await props.onDeleted();
  };
  return (
    <ConfirmDialog
      title={t('labels.deleteTitle', { name: inert(props.label?.name ?? '') })}
      text={t(`labels.deleteText.${props.kind}`, { count: props.count })}
      confirm={t('settings.delete')}
      isOpen={props.label !== null}
      onClose={props.onClose}
      onConfirm={() => void remove()}
    />
  );
}
