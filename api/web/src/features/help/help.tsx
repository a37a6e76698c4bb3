// The sheet of keyboard shortcuts.
import { For } from 'solid-js';
import { t, type TextKey } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { closeHelp, isHelpOpen } from './help-state.js';
import { SHORTCUTS, type Scope, type Shortcut } from './shortcuts.js';
import styles from './help.module.css';

const SCOPES: readonly Scope[] = ['page', 'list'];

/** Examples of what can be typed, as state/search.ts reads it. */
const SEARCHES: readonly { readonly typed: string; readonly does: TextKey }[] = [
  { typed: 'debian amd64', does: 'search.word' },
  { typed: '"debian 12"', does: 'search.phrase' },
  { typed: '-iso', does: 'search.not' },
  { typed: 'debian OR ubuntu', does: 'search.or' },
  { typed: '/s\\d+e\\d+/', does: 'search.pattern' },
  { typed: 'tag:keep cat:none', does: 'search.label' },
  { typed: 'tracker:example path:/data', does: 'search.place' },
  { typed: 'size>10G ratio<1 up>1M progress<50', does: 'search.figure' },
  { typed: 'added<7d', does: 'search.age' },
  { typed: 'is:seeding -is:active is:private', does: 'search.state' },
];

export default function HelpSheet() {
  return (
    <Dialog title={t('help.title')} size="large" isOpen={isHelpOpen()} onClose={closeHelp}>
      <div class={styles['groups']}>
        <For each={SCOPES}>
          {(scope) => (
            <section>
              <h3>{t(`help.scope.${scope}`)}</h3>
              <dl class={styles['keys']}>
                <For each={SHORTCUTS.filter((shortcut) => shortcut.scope === scope && shortcut.does)}>
                  {(shortcut) => <Line shortcut={shortcut} />}
                </For>
              </dl>
            </section>
          )}
        </For>
        <section>
          <h3>{t('search.title')}</h3>
          <dl class={styles['keys']}>
            <For each={SEARCHES}>
              {({ typed, does }) => (
                <div class={styles['line']}>
                  <dt>
                    <code>{typed}</code>
                  </dt>
                  <dd>{t(does)}</dd>
                </div>
              )}
            </For>
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

/** Keys whose labels are other words on keyboards of other languages. */
const WORDS = ['Shift', 'Ctrl', 'Del', 'Home', 'End', 'Space'] as const;

function labelOf(key: string): string {
  const word = WORDS.find((known) => known === key);
  return word ? t(`help.key.${word}`) : key;
}

function Line(props: { readonly shortcut: Shortcut }) {
  const shown = () => props.shortcut.shown ?? [props.shortcut.keys];
  return (
    <div class={styles['line']}>
      <dt>
        <For each={shown()}>
          {(keys) => (
            <span class={styles['combo']}>
              <For each={keys.split(' ')}>{(key) => <kbd>{labelOf(key)}</kbd>}</For>
            </span>
          )}
        </For>
      </dt>
      <dd>{props.shortcut.does && t(props.shortcut.does)}</dd>
    </div>
  );
}
