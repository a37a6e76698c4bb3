// One webhook in the list: where it leads, of what it tells, how sending goes, and what can be done with it.
import { createSignal, For, Show } from 'solid-js';
import type { WebhookChange, WebhookDto } from '../../../../../shared-protocol/dto/webhooks.js';
import { HOOK_EVENTS } from '../../../../../shared-protocol/hook-events.js';
import { inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import lists from '../settings/item-list.module.css';
import { goingOf, sendingWords, type Going } from './sending.js';
import { sendTest, type Tried } from './test-message.js';
import styles from './webhooks.module.css';
import { serverNowMs } from '../../net/server-clock.js';

const EDGES = { off: 'none', untried: 'none', well: 'good', failing: 'bad' } as const;

export interface WebhookItemProps {
  readonly webhook: WebhookDto;
  readonly onChange: (change: WebhookChange) => Promise<unknown>;
  readonly onEdit: () => void;
  readonly onNewSecret: () => void;
  readonly onDelete: () => void;
}

export function WebhookItem(props: WebhookItemProps) {
  const [tried, setTried] = createSignal<Tried | null>(null);
  const [isTesting, setIsTesting] = createSignal(false);
  /** The answer to a test of another URL says nothing of this one. */
  const answer = () => (tried()?.url === props.webhook.url ? tried() : null);
  const url = () => inert(props.webhook.url);
  const going = () => goingOf(props.webhook);
  const test = async () => {
    setIsTesting(true);
    setTried(null);
    setTried(await sendTest(props.webhook));
    setIsTesting(false);
  };
  const enable = async (box: HTMLInputElement) => {
    await props.onChange({ enabled: box.checked });
    // As it is, where it was refused.
    box.checked = props.webhook.enabled;
  };
  return (
    <li class={lists['item']} data-edge={EDGES[going()]}>
      <div class={lists['words']}>
        <span class={lists['head']}>
          <strong class={going() === 'off' ? 'muted' : undefined}>{url()}</strong>
          <State going={going()} />
        </span>
        <span>{eventWords(props.webhook)}</span>
        <For each={sendingWords(props.webhook, serverNowMs())}>
          {(words, index) => <span class={index() === 0 && going() === 'failing' ? 'bad' : 'muted'}>{words}</span>}
        </For>
        <span role="status" class={answer()?.isTaken ? styles['good'] : 'bad'}>
          {answer()?.words}
        </span>
      </div>
      <div class={lists['tools']}>
        <label class={lists['switch']}>
          <input
            type="checkbox"
            checked={props.webhook.enabled}
            aria-label={t('webhooks.enable', { url: url() })}
            onChange={(event) => void enable(event.currentTarget)}
          />
          {t('webhooks.on')}
        </label>
        <Show when={going() === 'failing' && props.webhook.pending > 0}>
          <Button aria-label={t('webhooks.tryNowOf', { url: url() })} onClick={() => void props.onChange({})}>
            {t('webhooks.tryNow')}
          </Button>
        </Show>
        <Button
          refused={isTesting() ? t('webhooks.testing') : null}
          aria-label={t('webhooks.testOf', { url: url() })}
          onClick={() => void test()}
        >
          {t(isTesting() ? 'webhooks.testing' : 'webhooks.test')}
        </Button>
        <Button aria-label={t('webhooks.edit', { url: url() })} onClick={() => props.onEdit()}>
          {t('settings.edit')}
        </Button>
        <Button aria-label={t('webhooks.newSecretOf', { url: url() })} onClick={() => props.onNewSecret()}>
          {t('webhooks.newSecret')}
        </Button>
        <Button aria-label={t('webhooks.deleteOf', { url: url() })} onClick={() => props.onDelete()}>
          {t('webhooks.delete')}
        </Button>
      </div>
    </li>
  );
}

function State(props: { readonly going: Going }) {
  const shown = () => (props.going === 'off' || props.going === 'failing' ? props.going : null);
  return (
    <Show when={shown()}>
      {(state) => (
        <span class={lists['mark']} data-bad={state() === 'failing'}>
          {t(`webhooks.state.${state()}`)}
        </span>
      )}
    </Show>
  );
}

function eventWords({ events }: WebhookDto): string {
  if (events.length === HOOK_EVENTS.length) return t('webhooks.allEvents');
  return HOOK_EVENTS.filter((event) => events.includes(event))
    .map((event) => t(`webhooks.event.${event}`))
    .join(' · ');
}
