// Menus from data, for buttons and for the right mouse button alike. What may not be done is shown with its reason.
import { ContextMenu } from '@kobalte/core/context-menu';
import { DropdownMenu } from '@kobalte/core/dropdown-menu';
import { Index, Show, type JSX } from 'solid-js';
import styles from './menu.module.css';

export interface MenuItem {
  readonly label: string;
  readonly run?: () => void;
  /** Why it cannot be chosen now. */
  readonly refused?: string | null;
  readonly keys?: string;
  readonly isDangerous?: boolean;
  /** Shown with a mark when true. */
  readonly isChosen?: boolean;
  /** Choosing it leaves the menu open, for another one. */
  readonly keepsOpen?: boolean;
  readonly children?: readonly MenuEntry[];
}

export type MenuEntry = MenuItem | 'separator';

export function MenuButton(props: {
  readonly label: JSX.Element;
  readonly entries: readonly MenuEntry[];
  readonly class?: string;
  readonly title?: string;
}) {
  return (
    <DropdownMenu modal={false}>
      <DropdownMenu.Trigger class={props.class} aria-label={props.title} title={props.title}>
        {props.label}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content class={styles['menu']}>
          <Entries entries={props.entries} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu>
  );
}

export function ContextArea(props: {
  readonly entries: readonly MenuEntry[];
  readonly children: JSX.Element;
  readonly class?: string;
}) {
  return (
    <ContextMenu modal={false}>
      <ContextMenu.Trigger class={props.class}>{props.children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content class={styles['menu']}>
          <Entries entries={props.entries} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu>
  );
}

/** A finger that was held to open a menu may still click when it is lifted. */
export function isMenuOpen(): boolean {
  return document.querySelector('[role="menu"]') !== null;
}

/** Both kinds of menu are the same inside. By place: what a tick changes while it is open changes where it stands. */
function Entries(props: { readonly entries: readonly MenuEntry[] }) {
  return (
    <Index each={props.entries}>
      {(entry) => (
        <Show when={itemOf(entry())} fallback={<DropdownMenu.Separator class={styles['separator']} />}>
          {(item) => (
            <Show when={item().children} fallback={<Item item={item()} />}>
              {(children) => (
                <DropdownMenu.Sub>
                  <DropdownMenu.SubTrigger class={styles['item']}>
                    <span class={styles['mark']} aria-hidden="true" />
                    <span class={styles['label']}>{item().label}</span>
                    <span aria-hidden="true">›</span>
                  </DropdownMenu.SubTrigger>
                  <DropdownMenu.Portal>
                    <DropdownMenu.SubContent class={styles['menu']}>
                      <Entries entries={children()} />
                    </DropdownMenu.SubContent>
                  </DropdownMenu.Portal>
                </DropdownMenu.Sub>
              )}
            </Show>
          )}
        </Show>
      )}
    </Index>
  );
}

function itemOf(entry: MenuEntry): MenuItem | null {
  return entry === 'separator' ? null : entry;
}

function Item(props: { readonly item: MenuItem }) {
  return (
    <DropdownMenu.Item
      class={`${styles['item']} ${props.item.isDangerous ? styles['dangerous'] : ''}`}
      disabled={Boolean(props.item.refused)}
      closeOnSelect={!props.item.keepsOpen}
      onSelect={() => props.item.run?.()}
    >
      <span class={styles['mark']} aria-hidden="true">
        {props.item.isChosen ? '✓' : ''}
      </span>
      <span class={styles['label']}>
        {props.item.label}
        <Show when={props.item.refused}>
          <small>{props.item.refused}</small>
        </Show>
      </span>
      <Show when={props.item.keys}>
        <kbd>{props.item.keys}</kbd>
      </Show>
    </DropdownMenu.Item>
  );
}
