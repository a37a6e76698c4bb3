// What will be added, and what has become of each.
import { For, Show } from 'solid-js';
import { bytes, inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import type { Result, Source } from './submit.js';
import styles from './add.module.css';

export interface SourceListProps {
  readonly sources: readonly Source[];
  readonly results: Readonly<Record<string, Result>>;
  /** Files only: links are taken out where they are written. null while they cannot be. */
  readonly onRemove: ((source: Source) => void) | null;
}

export function SourceList(props: SourceListProps) {
  return (
    <Show when={props.sources.length > 0}>
      <ul class={styles['sources']} aria-label={t('add.sources')} aria-live="polite">
        <For each={props.sources}>
          {(source) => {
            const result = () => props.results[source.key];
            return (
              <li class={styles['source']} data-result={result()?.kind}>
                <span class={styles['kind']}>{t(`add.kind.${source.kind}`)}</span>
                <span class={styles['name']} title={inert(source.name)}>
                  {inert(source.name)}
                </span>
                <span class={styles['result']}>{textOf(source, result())}</span>
                <Show when={source.kind === 'file' && isOpen(result()) && props.onRemove}>
                  {(remove) => (
                    <button
                      type="button"
                      class={styles['takeOut']}
                      aria-label={t('add.takeOut', { name: inert(source.name) })}
                      onClick={() => remove()(source)}
                    >
                      <Icon name="close" size={14} />
                    </button>
                  )}
                </Show>
              </li>
            );
          }}
        </For>
      </ul>
    </Show>
  );
}

function isOpen(result: Result | undefined): boolean {
  return result === undefined || result.kind === 'failed';
}

function textOf(source: Source, result: Result | undefined): string {
  if (!result) return source.kind === 'file' ? bytes(source.file.size) : '';
  return result.kind === 'failed' ? result.reason : t(`add.result.${result.kind}`);
}
