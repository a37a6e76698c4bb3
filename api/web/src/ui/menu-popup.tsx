// The menu that a button or the right mouse button has opened. What may not be done is shown with its reason.
import { ContextMenu } from '@kobalte/core/context-menu';
import { DropdownMenu } from '@kobalte/core/dropdown-menu';
import { createMemo, Index, Show } from 'solid-js';
import type { Anchor, MenuEntry, MenuItem } from './menu.jsx';
import styles from './menu.module.css';
import { letSubmenusStay, waitForClick } from './submenus.js';

const INDENT_PX = 14;

export interface MenuPopupProps {
  readonly entries: readonly MenuEntry[];
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly isByKey: boolean;
  /** The menu is placed beside it. */
  readonly anchor: () => Anchor;
  readonly placement: 'bottom-start' | 'right-start';
  /** The id of what names it. */
  readonly labelledBy?: string;
  /** Presses of this are no presses outside: it closes the menu itself. */
  readonly opener?: HTMLElement;
}

export default function MenuPopup(props: MenuPopupProps) {
  let content!: HTMLDivElement;
  const focusFirst = () => content.querySelector<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')?.focus();
  return (
    <DropdownMenu
      modal={false}
      open={props.isOpen}
      onOpenChange={props.onOpenChange}
      getAnchorRect={() => props.anchor()}
      placement={props.placement}
    >
      <DropdownMenu.Portal ref={staysReadable}>
        {/* Which gives the focus back to what had it. */}
        <ContextMenu.Content
          ref={(element: HTMLDivElement) => letSubmenusStay((content = element))}
          class={styles['menu']}
          aria-labelledby={props.labelledBy}
          // After it has taken the focus itself, which it does in a turn of its own.
          onOpenAutoFocus={() => props.isByKey && setTimeout(focusFirst)}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && props.opener?.contains(event.target)) event.preventDefault();
          }}
        >
          <SteadyEntries entries={props.entries} />
        </ContextMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu>
  );
}

/** Whether something stands elsewhere; what changes the menu itself, and leaves it open, may do that. */
function isOtherShape(before: readonly MenuEntry[], now: readonly MenuEntry[]): boolean {
  return before.length !== now.length && !now.some((entry) => itemOf(entry)?.keepsOpen);
}

/** A window hides what comes after it outside of it from those who listen, unless it is marked so. */
function staysReadable(element: { readonly dataset: DOMStringMap }): void {
  element.dataset['reactAriaTopLayer'] = 'true';
}

/** The same entries for as long as the menu is open where others would come or go: nothing moves under the finger. */
function SteadyEntries(props: { readonly entries: readonly MenuEntry[] }) {
  const entries = createMemo<readonly MenuEntry[]>(
    (before) => (before.length > 0 && isOtherShape(before, props.entries) ? before : props.entries),
    [],
  );
  return <Entries entries={entries()} />;
}

/** By place: what a tick changes while it is open changes where it stands. */
function Entries(props: { readonly entries: readonly MenuEntry[] }) {
  return (
    <Index each={props.entries}>
      {(entry) => (
        <Show when={itemOf(entry())} fallback={<DropdownMenu.Separator class={styles['separator']} />}>
          {(item) => (
            <Show when={item().children} fallback={<Item item={item()} />}>
              {(children) => (
                // On a phone there is no room beside it.
                <DropdownMenu.Sub overlap>
                  <DropdownMenu.SubTrigger class={styles['item']} onPointerMove={waitForClick}>
                    <span class={styles['mark']} aria-hidden="true" />
                    <span class={styles['label']}>{item().label}</span>
                    <span aria-hidden="true">›</span>
                  </DropdownMenu.SubTrigger>
                  <DropdownMenu.Portal ref={staysReadable}>
                    <DropdownMenu.SubContent ref={letSubmenusStay} class={styles['menu']}>
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
      aria-label={props.item.fullLabel}
      closeOnSelect={!props.item.keepsOpen}
      onSelect={() => props.item.run?.()}
      // The key that has chosen it is not one of the window that it opens, whose form it would submit.
      onKeyDown={(event: KeyboardEvent) => (event.key === 'Enter' || event.key === ' ') && event.preventDefault()}
    >
      <span class={styles['mark']} aria-hidden="true">
        {props.item.isChosen ? '✓' : ''}
      </span>
      <Show when={props.item.depth}>
        <span style={{ width: `${(props.item.depth ?? 0) * INDENT_PX}px` }} />
      </Show>
      <Show when={props.item.color}>
        <span class={styles['dot']} style={{ background: props.item.color }} />
      </Show>
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
