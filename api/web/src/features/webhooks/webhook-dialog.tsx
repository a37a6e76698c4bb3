// A webhook's URL and events, for a new one or one that is there.
import type { MadeWebhookDto, WebhookDto } from '../../../../../shared-protocol/dto/webhooks.js';
import { HOOK_EVENTS, type HookEvent } from '../../../../../shared-protocol/hook-events.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { text } from '../settings/codecs.js';
import { TextControl } from '../settings/controls.jsx';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { EventsControl, eventList } from './events-control.jsx';

export interface WebhookDialogProps {
  readonly isOpen: boolean;
  /** null: a new one. */
  readonly webhook: WebhookDto | null;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
  /** Given the new one, after the dialog has been closed. */
  readonly onMade: (made: MadeWebhookDto) => void;
}

interface Values {
  readonly url: string;
  readonly events: readonly HookEvent[];
}

export function WebhookDialog(props: WebhookDialogProps) {
  return (
    <Dialog
      title={t(props.webhook ? 'webhooks.editTitle' : 'webhooks.newTitle')}
      isOpen={props.isOpen}
      onClose={props.onClose}
    >
      <WebhookForm {...props} />
    </Dialog>
  );
}

function WebhookForm(props: WebhookDialogProps) {
  // As it was when the dialog opened.
  const { webhook } = props;
  const source: Values = { url: webhook?.url ?? '', events: webhook?.events ?? HOOK_EVENTS };
  let made: MadeWebhookDto | null = null;
  const form = createForm<Values>({
    codecs: { url: text, events: eventList },
    source: () => source,
    async save(values) {
      if (webhook) await call('PUT', `/api/webhooks/${webhook.id}`, values);
      else made = await call<MadeWebhookDto>('POST', '/api/webhooks', values);
      await props.onChanged();
    },
  });
  return (
    <FormFrame
      form={form}
      saveLabel={webhook ? t('common.save') : t('webhooks.add')}
      onClose={props.onClose}
      onSaved={() => made && props.onMade(made)}
    >
      <TextControl
        form={form}
        name="url"
        kind="url"
        placeholder="https://"
        label={t('webhooks.url')}
        help={t('webhooks.urlHelp')}
      />
      <EventsControl form={form} />
    </FormFrame>
  );
}
