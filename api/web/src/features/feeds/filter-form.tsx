// A filter as it is typed: how many items it would let through is said at each key, whether it is valid when it is saved.
import { createSignal, For, Show } from 'solid-js';
import type { FilterDto } from '../../../../../shared-protocol/dto/rss.js';
import { ApiError, call } from '../../net/http.js';
import { categories } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { fieldError, type FieldError } from './field-error.js';
import type { Preview } from './preview.js';
import styles from './feeds.module.css';

const FIELDS = ['regex', 'category_id', 'save_path'] as const;
const IGNORE_CASE = '(?i)';

export interface FilterFormProps {
  readonly feedId: number;
  /** null: a new one. */
  readonly filter: FilterDto | null;
  readonly preview: Preview | null;
  readonly itemCount: number | null;
  readonly onTyped: (regex: string) => void;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

export function FilterForm(props: FilterFormProps) {
  const old = props.filter;
  const [regex, setRegex] = createSignal(old?.regex ?? '');
  const [error, setError] = createSignal<FieldError<(typeof FIELDS)[number]> | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  const title = t(old ? 'feeds.filters.editTitle' : 'feeds.filters.newTitle');
  const type = (text: string) => {
    setRegex(text);
    setError(null);
    props.onTyped(text);
  };
  const isIgnoringCase = () => regex().startsWith(IGNORE_CASE);
  const toggleCase = () => type(isIgnoringCase() ? regex().slice(IGNORE_CASE.length) : IGNORE_CASE + regex());
  const errorOf = (field: (typeof FIELDS)[number]) => (error()?.field === field ? error()?.reason : null);

  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const filter = {
      feed_id: props.feedId,
      regex: regex(),
      category_id: Number(form.get('category_id')) || null,
      save_path: String(form.get('save_path')),
      enabled: form.has('enabled'),
    };
    setIsBusy(true);
    try {
      await call(old ? 'PUT' : 'POST', '/api/filters', old ? { id: old.id, ...filter } : filter);
      await props.onSaved();
      showNote({ look: 'good', text: t('feeds.filters.saved') });
      props.onClose();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(fieldError(thrown.message, FIELDS));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <form
      class={`${styles['form']} ${styles['filterForm']}`}
      aria-label={title}
      onSubmit={(event) => void submit(event)}
    >
      <h4>{title}</h4>
      <Field label={t('feeds.filters.pattern')} help={t('feeds.filters.patternHelp')} error={errorOf('regex')}>
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
      <p class={styles['count']} role="status">
        {wordingOf(props.preview, props.itemCount)}
      </p>
      <label class={styles['check']}>
        <input type="checkbox" checked={isIgnoringCase()} onChange={toggleCase} /> {t('feeds.filters.ignoreCase')}
      </label>
      <div class={styles['pair']}>
        <Field label={t('feeds.filters.category')} error={errorOf('category_id')}>
          {(control) => (
            <select {...control} name="category_id">
              <option value="">{t('feeds.filters.noCategory')}</option>
              <For each={categories.value()}>
                {({ id, name }) => (
                  <option value={id} selected={id === old?.category_id}>
                    {name}
                  </option>
                )}
              </For>
            </select>
          )}
        </Field>
        <Field label={t('feeds.filters.savePath')} help={t('feeds.filters.savePathHelp')} error={errorOf('save_path')}>
          {(control) => (
            <input {...control} name="save_path" autocomplete="off" spellcheck={false} value={old?.save_path ?? ''} />
          )}
        </Field>
      </div>
      <label class={styles['check']}>
        <input type="checkbox" name="enabled" checked={old?.enabled ?? true} /> {t('feeds.filters.enabled')}
      </label>
      <Show when={error()?.field === null}>
        <p role="alert" class={styles['error']}>
          {error()?.reason}
        </p>
      </Show>
      <div class={styles['buttons']}>
        <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
        <Button look="primary" type="submit" disabled={isBusy()}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

function wordingOf(preview: Preview | null, count: number | null): string {
  if (preview?.kind === 'impossible') return t('feeds.preview.impossible');
  if (count === null || preview === null) return t('feeds.preview.wanting');
  if (preview.kind === 'tooSlow') return t('feeds.preview.tooSlow');
  return t('feeds.preview.count', { matching: preview.byTitle.size, count });
}
