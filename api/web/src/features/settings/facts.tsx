// What the server says of itself: names and what they are now. Its places are kept while the answer is awaited.
import { For, type JSX } from 'solid-js';
import styles from './settings.module.css';

export interface Fact {
  readonly name: string;
  readonly value: JSX.Element;
}

export function Facts(props: { readonly facts: readonly Fact[] }) {
  return (
    <dl class={styles['facts']}>
      <For each={props.facts}>
        {(fact) => (
          <div>
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}
