// A feed's address, name and pace, for a new one or one that is there.
import { createEffect, createSignal, on, Show } from 'solid-js';
import type { FeedDto } from '../../../../../shared-protocol/dto/rss.js';
import { ApiError, call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { Field } from '../../ui/field.jsx';
import { fieldError, type FieldError } from './field-error.js';
import styles from './feeds.module.css';

export type FeedDraft = 'new' | FeedDto;

const FIELDS = ['url', 'name', 'interval_min'] as const;

export interface FeedDialogProps {
  /** null: closed. */
  readonly draft: FeedDraft | null;
  readonly onClose: () => void;
  readonly onSaved: (id: number) => Promise<void>;
}

export function FeedDialog(props: FeedDialogProps) {
  const [error, setError] = createSignal<FieldError<(typeof FIELDS)[number]> | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  createEffect(
    on(
      () => props.draft,
      () => setError(null),
    ),
  );
  const isNew = () => props.draft === 'new';
  const old = () => (props.draft === 'new' ? null : props.draft);
  const errorOf = (field: (typeof FIELDS)[number]) => (error()?.field === field ? error()?.reason : null);

  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const feed = {
      url: String(form.get('url')),
      name: String(form.get('name')),
      interval_min: Number(form.get('interval_min')),
      enabled: form.has('enabled'),
    };
    const id = old()?.id;
    setIsBusy(true);
    try {
      const made = await call<{ id?: number }>(id ? 'PUT' : 'POST', '/api/feeds', id ? { id, ...feed } : feed);
      await props.onSaved(id ?? made.id!);
      props.onClose();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(fieldError(thrown.message, FIELDS));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={t(isNew() ? 'feeds.dialog.addTitle' : 'feeds.dialog.editTitle')}
      isOpen={props.draft !== null}
      onClose={props.onClose}
    >
      <form class={styles['form']} onSubmit={(event) => void submit(event)}>
        <Field label={t('feeds.dialog.url')} help={t('feeds.dialog.urlHelp')} error={errorOf('url')}>
          {(control) => (
            <input
              {...control}
              name="url"
              type="url"
              inputmode="url"
              autocomplete="off"
              spellcheck={false}
              maxlength={2048}
              placeholder="https://"
              required
              autofocus
              value={old()?.url ?? ''}
            />
          )}
        </Field>
        <Field label={t('feeds.dialog.name')} help={t('feeds.dialog.nameHelp')} error={errorOf('name')}>
          {(control) => <input {...control} name="name" autocomplete="off" maxlength={100} value={old()?.name ?? ''} />}
        </Field>
        <Field label={t('feeds.dialog.interval')} help={t('feeds.dialog.intervalHelp')} error={errorOf('interval_min')}>
          {(control) => (
            <input
              {...control}
              name="interval_min"
              type="number"
              min="0"
              max="525600"
              step="1"
              required
              value={old()?.interval_min ?? 0}
            />
          )}
        </Field>
        <label class={styles['check']}>
          <input type="checkbox" name="enabled" checked={old()?.enabled ?? true} /> {t('feeds.dialog.enabled')}
        </label>
        <Show when={error()?.field === null}>
          <p role="alert" class={styles['error']}>
            {error()?.reason}
          </p>
        </Show>
        <div class={styles['buttons']}>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button look="primary" type="submit" disabled={isBusy()}>
            {t(isNew() ? 'feeds.dialog.submitAdd' : 'common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
