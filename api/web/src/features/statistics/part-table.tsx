// A table of trackers or categories: what they hold and what they moved in the period.
import { createSignal, For, Show } from 'solid-js';
import { bytes, count, ratio } from '../../format/quantities.js';
import { t, type TextKey } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import type { Part } from './breakdown.js';
import styles from './statistics.module.css';

const SHOWN = 12;

export interface PartTableProps {
  readonly title: TextKey;
  readonly about?: TextKey;
  readonly first: TextKey;
  readonly parts: readonly Part[];
  readonly nameOf: (id: string) => string;
}

export function PartTable(props: PartTableProps) {
  const [isWhole, setIsWhole] = createSignal(false);
  const shown = () => (isWhole() ? props.parts : props.parts.slice(0, SHOWN));
  return (
    <section class={styles['card']} aria-label={t(props.title)}>
      <h2>{t(props.title)}</h2>
      <Show when={props.parts.length > 0} fallback={<p class={styles['muted']}>{t('statistics.none')}</p>}>
        <div class={styles['scroll']} tabindex="0" role="group" aria-label={t(props.title)}>
          <table class={styles['table']}>
            <thead>
              <tr>
                <th scope="col">{t(props.first)}</th>
                <For each={['torrents', 'seeding', 'down', 'up', 'ratio', 'errors'] as const}>
                  {(column) => (
                    <th scope="col" data-numeric="true">
                      {t(`statistics.column.${column}`)}
                    </th>
                  )}
                </For>
              </tr>
            </thead>
            <tbody>
              <For each={shown()}>
                {(part) => (
                  <tr>
                    <th scope="row">{props.nameOf(part.id)}</th>
                    <td data-numeric="true">{count(part.torrents)}</td>
                    <td data-numeric="true">{bytes(part.seedingBytes)}</td>
                    <td data-numeric="true">{bytes(part.down)}</td>
                    <td data-numeric="true">{bytes(part.up)}</td>
                    <td data-numeric="true">{part.down > 0 ? ratio(part.up / part.down) : '–'}</td>
                    <td data-numeric="true" data-bad={part.errors > 0}>
                      {count(part.errors)}
                    </td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </div>
      </Show>
      <Show when={!isWhole() && props.parts.length > SHOWN}>
        <div>
          <Button onClick={() => setIsWhole(true)}>{t('statistics.showAll', { count: props.parts.length })}</Button>
        </div>
      </Show>
      <Show when={props.about}>{(about) => <p class={styles['muted']}>{t(about())}</p>}</Show>
    </section>
  );
}
