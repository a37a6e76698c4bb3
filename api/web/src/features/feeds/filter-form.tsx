// A filter as it is typed: how many items it would let through is said at each key, whether it is valid when it is saved.
import { createSignal, For, Show } from 'solid-js';
import type { FilterDto } from '../../../../../shared-protocol/dto/rss.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { PathField } from '../../ui/path-field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { CategoryOptions } from '../labels/category-options.jsx';
import type { Preview, Titles } from './preview.js';
import { createRecordForm, RecordFoot } from './record-form.jsx';
import styles from './feeds.module.css';

const FIELDS = ['regex', 'exclude_regex', 'category_id', 'save_path'] as const;
const IGNORE_CASE = '(?i)';

export interface FilterFormProps {
  readonly feedId: number;
  /** null: a new one. */
  readonly filter: FilterDto | null;
  readonly preview: Preview | null;
  readonly itemCount: number | null;
  readonly onTyped: (titles: Titles) => void;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

export function FilterForm(props: FilterFormProps) {
  const old = props.filter;
  const [regex, setRegex] = createSignal(old?.regex ?? '');
  const [excluded, setExcluded] = createSignal(old?.exclude_regex ?? '');
  const [savePath, setSavePath] = createSignal(old?.save_path ?? '');
  const title = t(old ? 'feeds.filters.editTitle' : 'feeds.filters.newTitle');
  const form = createRecordForm(FIELDS, async (typed) => {
    const filter = {
      feed_id: props.feedId,
      regex: regex(),
      exclude_regex: excluded(),
      tag_ids: typed.getAll('tag_ids').map(Number),
      paused: typed.has('paused'),
      category_id: Number(typed.get('category_id')) || null,
      save_path: savePath(),
      enabled: typed.has('enabled'),
    };
    await call(old ? 'PUT' : 'POST', '/api/filters', old ? { id: old.id, ...filter } : filter);
    await props.onSaved();
    showNote({ look: 'good', text: t('feeds.filters.saved') });
    props.onClose();
  });
  const tell = () => {
    form.forgive();
    props.onTyped({ regex: regex(), exclude_regex: excluded() });
  };
  const type = (text: string) => {
    setRegex(text);
    tell();
  };
  const isIgnoringCase = () => regex().startsWith(IGNORE_CASE);
  const toggleCase = () => type(isIgnoringCase() ? regex().slice(IGNORE_CASE.length) : IGNORE_CASE + regex());
  return (
    <form class={`${styles['form']} ${styles['filterForm']}`} aria-label={title} onSubmit={form.onSubmit}>
      <h4>{title}</h4>
      <Field label={t('feeds.filters.pattern')} help={t('feeds.filters.patternHelp')} error={form.errorOf('regex')}>
        {(control) => (
          <input
            {...control}
            ref={(input) => queueMicrotask(() => input.focus())}
            class="mono"
            maxlength={1000}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={regex()}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label={t('feeds.filters.excluded')}
        help={t('feeds.filters.excludedHelp')}
        error={form.errorOf('exclude_regex')}
      >
        {(control) => (
          <input
            {...control}
            class="mono"
            maxlength={1000}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={excluded()}
            onInput={(event) => {
              setExcluded(event.currentTarget.value);
              tell();
            }}
          />
        )}
      </Field>
      <p class={styles['count']} role="status">
        {wordingOf(props.preview, props.itemCount)}
      </p>
      <label class={styles['check']}>
        <input type="checkbox" checked={isIgnoringCase()} onChange={toggleCase} /> {t('feeds.filters.ignoreCase')}
      </label>
      <div class={styles['pair']}>
        <Field label={t('feeds.filters.category')} error={form.errorOf('category_id')}>
          {(control) => (
            <select {...control} name="category_id">
              <option value="">{t('feeds.filters.noCategory')}</option>
              <CategoryOptions chosen={old?.category_id ?? null} />
            </select>
          )}
        </Field>
        <PathField
          label={t('feeds.filters.savePath')}
          help={t('feeds.filters.savePathHelp')}
          error={form.errorOf('save_path')}
          value={savePath()}
          onInput={(path) => {
            setSavePath(path);
            form.forgive();
          }}
        />
      </div>
      <Show when={(tags.value() ?? []).length > 0}>
        <fieldset class={styles['tags']}>
          <legend>{t('feeds.filters.tags')}</legend>
          <For each={tags.value()}>
            {({ id, name }) => (
              <label>
                <input type="checkbox" name="tag_ids" value={id} checked={old?.tag_ids?.includes(id)} /> {inert(name)}
              </label>
            )}
          </For>
        </fieldset>
      </Show>
      <label class={styles['check']}>
        <input type="checkbox" name="paused" checked={old?.paused} /> {t('feeds.filters.startPaused')}
      </label>
      <RecordFoot
        form={form}
        enabledLabel={t('feeds.filters.enabled')}
        isEnabled={old?.enabled ?? true}
        submitLabel={t('common.save')}
        onClose={props.onClose}
      />
    </form>
  );
}

function wordingOf(preview: Preview | null, count: number | null): string {
  if (preview?.kind === 'impossible') return t('feeds.preview.impossible');
  if (count === null || preview === null) return t('feeds.preview.wanting');
  if (preview.kind === 'tooSlow') return t('feeds.preview.tooSlow');
  return t('feeds.preview.count', { matching: preview.byTitle.size, count });
}
