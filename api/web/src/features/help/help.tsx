// The sheet of keyboard shortcuts: opened by `?` from anywhere and from the menu of the account.
import { createSignal, For } from 'solid-js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { SHORTCUTS, type Scope, type Shortcut } from './shortcuts.js';
import styles from './help.module.css';

const [isOpen, setIsOpen] = createSignal(false);

export function openHelp(): void {
  setIsOpen(true);
}

const SCOPES: readonly Scope[] = ['page', 'list'];

export function HelpSheet() {
  return (
    <Dialog title={t('help.title')} size="large" isOpen={isOpen()} onClose={() => setIsOpen(false)}>
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
      </div>
    </Dialog>
  );
}

function Line(props: { readonly shortcut: Shortcut }) {
  const shown = () => props.shortcut.shown ?? [props.shortcut.keys];
  return (
    <div class={styles['line']}>
      <dt>
        <For each={shown()}>
          {(keys) => (
            <span class={styles['combo']}>
              <For each={keys.split(' ')}>{(key) => <kbd>{key}</kbd>}</For>
            </span>
          )}
        </For>
      </dt>
      <dd>{props.shortcut.does && t(props.shortcut.does)}</dd>
    </div>
  );
}
