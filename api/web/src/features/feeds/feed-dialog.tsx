// A feed's address, name and pace, for a new one or one that is there.
import { createEffect, on } from 'solid-js';
import type { FeedDto } from '../../../../../shared-protocol/dto/rss.js';
import { DEFAULT_INTERVAL_MIN } from '../../../../../shared-protocol/feed-interval.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { Field } from '../../ui/field.jsx';
import { createRecordForm, RecordFoot } from './record-form.jsx';
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
  const isNew = () => props.draft === 'new';
  const old = () => (props.draft === 'new' ? null : props.draft);
  const form = createRecordForm(FIELDS, async (typed) => {
    const feed = {
      url: String(typed.get('url')),
      name: String(typed.get('name')),
      interval_min: Number(typed.get('interval_min')),
      enabled: typed.has('enabled'),
    };
    const id = old()?.id;
    const made = await call<{ id?: number }>(id ? 'PUT' : 'POST', '/api/feeds', id ? { id, ...feed } : feed);
    await props.onSaved(id ?? made.id!);
    props.onClose();
  });
  createEffect(on(() => props.draft, form.forgive));
  return (
    <Dialog
      title={t(isNew() ? 'feeds.dialog.addTitle' : 'feeds.dialog.editTitle')}
      isOpen={props.draft !== null}
      onClose={props.onClose}
    >
      <form class={styles['form']} onSubmit={form.onSubmit}>
        <Field label={t('feeds.dialog.url')} help={t('feeds.dialog.urlHelp')} error={form.errorOf('url')}>
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
        <Field label={t('feeds.dialog.name')} help={t('feeds.dialog.nameHelp')} error={form.errorOf('name')}>
          {(control) => <input {...control} name="name" autocomplete="off" maxlength={100} value={old()?.name ?? ''} />}
        </Field>
        <Field
          label={t('feeds.dialog.interval')}
          help={t('feeds.dialog.intervalHelp', { count: DEFAULT_INTERVAL_MIN })}
          error={form.errorOf('interval_min')}
        >
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
        <RecordFoot
          form={form}
          enabledLabel={t('feeds.dialog.enabled')}
          isEnabled={old()?.enabled ?? true}
          submitLabel={t(isNew() ? 'feeds.dialog.submitAdd' : 'common.save')}
          onClose={props.onClose}
        />
      </form>
    </Dialog>
  );
}
