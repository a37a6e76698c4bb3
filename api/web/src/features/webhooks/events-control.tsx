// Which events a webhook is told of: a mark for each, at least one of them.
import { createUniqueId, For, Show } from 'solid-js';
import { HOOK_EVENTS, type HookEvent } from '../../../../../shared-protocol/hook-events.js';
import { t } from '../../strings/index.js';
import type { Codec } from '../settings/codecs.js';
import type { Form } from '../settings/create-form.js';
import styles from './webhooks.module.css';

/** Events with commas between them. */
export const eventList: Codec<readonly HookEvent[]> = {
  show: (events) => events.join(','),
  read(typed) {
    const events = eventsIn(String(typed));
    return events.length === 0 ? { problem: t('webhooks.noEvent') } : { value: events };
  },
};

export interface EventsControlProps {
  readonly form: Form<{ readonly events: readonly HookEvent[] }>;
}

export function EventsControl(props: EventsControlProps) {
  const about = createUniqueId();
  const chosen = () => eventsIn(String(props.form.typed('events')));
  const problem = () => props.form.problemOf('events');
  const choose = (event: HookEvent, isChosen: boolean) =>
    props.form.type(
      'events',
      eventList.show(HOOK_EVENTS.filter((each) => (each === event ? isChosen : chosen().includes(each)))),
    );
  return (
    <fieldset class={styles['events']} aria-describedby={about}>
      <legend>{t('webhooks.events')}</legend>
      <For each={HOOK_EVENTS}>
        {(event, index) => (
          <label class={styles['check']}>
            <input
              type="checkbox"
              name={event}
              // Where the focus goes when none is chosen.
              aria-invalid={index() === 0 && problem() !== null}
              checked={chosen().includes(event)}
              onChange={({ currentTarget }) => choose(event, currentTarget.checked)}
            />
            {t(`webhooks.event.${event}`)}
          </label>
        )}
      </For>
      <div id={about} class={styles['help']}>
        <Show when={problem()} fallback={t('webhooks.eventsHelp')}>
          <span class="bad" role="alert">
            {problem()}
          </span>
        </Show>
      </div>
    </fieldset>
  );
}

function eventsIn(text: string): readonly HookEvent[] {
  const names = text.split(',');
  return HOOK_EVENTS.filter((event) => names.includes(event));
}
