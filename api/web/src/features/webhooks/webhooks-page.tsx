// The webhooks of the account: what they are for, which there are and how sending goes, made, changed and deleted; each
// new secret, once.
import { createSignal, For, Show } from 'solid-js';
import type { MadeWebhookDto, WebhookChange, WebhookDto } from '../../../../../shared-protocol/dto/webhooks.js';
import { MAX_WEBHOOKS_PER_ACCOUNT } from '../../../../../shared-protocol/hook-events.js';
import { attempt } from '../../actions/perform.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { createFetched, reloadEvery } from '../../state/fetched.js';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import lists from '../settings/item-list.module.css';
import { Section } from '../settings/section.jsx';
import { whenSignedInAgain } from '../settings/when-signed-in-again.js';
import { MadeSecret } from './made-secret.jsx';
import { MessageSample } from './message-sample.jsx';
import { WebhookDialog } from './webhook-dialog.jsx';
import { WebhookItem } from './webhook-item.jsx';

const PATH = '/api/webhooks';
/** Messages arrive and fail while one looks. */
const LOOK_EVERY_MS = 2_000;

type Opened = { readonly kind: 'edit' | 'secret' | 'delete'; readonly webhook: WebhookDto } | { readonly kind: 'new' };

export default function WebhooksPage() {
  let addButton!: HTMLButtonElement;
  const webhooks = createFetched<readonly WebhookDto[]>(PATH);
  whenSignedInAgain(() => void webhooks.reload());
  reloadEvery(webhooks, LOOK_EVERY_MS);
  const [opened, setOpened] = createSignal<Opened | null>(null);
  const [made, setMade] = createSignal<readonly MadeWebhookDto[]>([]);
  const close = () => setOpened(null);
  const webhookOf = (kind: Opened['kind']) => {
    const now = opened();
    return now?.kind === kind && 'webhook' in now ? now.webhook : null;
  };
  const full = () =>
    (webhooks.value()?.length ?? 0) >= MAX_WEBHOOKS_PER_ACCOUNT
      ? t('webhooks.full', { max: MAX_WEBHOOKS_PER_ACCOUNT })
      : null;
  const forgetSecret = (id: number) => {
    setMade((before) => before.filter((each) => each.id !== id));
    // What had it is gone.
    addButton.focus();
  };
  const change = (id: number, body: WebhookChange) =>
    attempt(async () => {
      await call('PUT', `${PATH}/${id}`, body);
      await webhooks.reload();
    });
  const showSecret = (webhook: MadeWebhookDto) =>
    setMade((before) => [webhook, ...before.filter(({ id }) => id !== webhook.id)]);
  const replaceSecret = async ({ id }: WebhookDto) => {
    close();
    const made = await attempt(() => call<MadeWebhookDto>('POST', `${PATH}/${id}/secret`));
    if (made) showSecret(made);
    else await webhooks.reload();
  };
  const remove = async ({ id }: WebhookDto) => {
    close();
    const isGone = (await attempt(() => call('DELETE', `${PATH}/${id}`))) !== null;
    await webhooks.reload();
    if (isGone) forgetSecret(id);
  };
  return (
    <>
      <Section isWide about={t('webhooks.about')}>
        <div>
          <Button ref={addButton} look="primary" refused={full()} onClick={() => setOpened({ kind: 'new' })}>
            {t('webhooks.add')}
          </Button>
        </div>
        <For each={made()}>{(each) => <MadeSecret webhook={each} onDone={() => forgetSecret(each.id)} />}</For>
        <Show when={webhooks.error()}>
          <p role="alert" class="bad">
            {webhooks.error()}
          </p>
        </Show>
        <Show when={webhooks.value()?.length === 0}>
          <Empty />
        </Show>
        <Show when={webhooks.value()?.length}>
          <ul class={lists['list']} aria-label={t('webhooks.list')}>
            <ForKeyed each={webhooks.value()} keyOf={({ id }) => id}>
              {(webhook) => (
                <WebhookItem
                  webhook={webhook()}
                  onChange={(body) => change(webhook().id, body)}
                  onEdit={() => setOpened({ kind: 'edit', webhook: webhook() })}
                  onNewSecret={() => setOpened({ kind: 'secret', webhook: webhook() })}
                  onDelete={() => setOpened({ kind: 'delete', webhook: webhook() })}
                />
              )}
            </ForKeyed>
          </ul>
        </Show>
        <MessageSample />
      </Section>
      <WebhookDialog
        isOpen={opened()?.kind === 'new' || webhookOf('edit') !== null}
        webhook={webhookOf('edit')}
        onClose={close}
        onChanged={webhooks.reload}
        onMade={showSecret}
      />
      <ConfirmDialog
        title={t('webhooks.newSecretTitle')}
        text={t('webhooks.newSecretText', { url: inert(webhookOf('secret')?.url ?? '') })}
        confirm={t('webhooks.newSecretConfirm')}
        isOpen={webhookOf('secret') !== null}
        onClose={close}
        onConfirm={() => void replaceSecret(webhookOf('secret')!)}
      />
      <ConfirmDialog
        title={t('webhooks.deleteTitle')}
        text={t('webhooks.deleteText', { url: inert(webhookOf('delete')?.url ?? '') })}
        confirm={t('webhooks.deleteConfirm')}
        isOpen={webhookOf('delete') !== null}
        onClose={close}
        onConfirm={() => void remove(webhookOf('delete')!)}
      />
    </>
  );
}

function Empty() {
  return (
    <div class={lists['empty']}>
      <h2>{t('webhooks.emptyTitle')}</h2>
      <p>{t('webhooks.emptyHow')}</p>
      <p class="muted">{t('webhooks.chats')}</p>
    </div>
  );
}
