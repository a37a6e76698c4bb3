// Menus from data, for buttons and for the right mouse button alike. What is here is what opens them; the menu itself
// (menu-popup.tsx) comes when it is first needed.
import { createSignal, createUniqueId, onCleanup, Show, type JSX } from 'solid-js';
import { menuOpensAt } from './focus-back.js';
import { onDemand } from './on-demand.jsx';

export interface MenuItem {
  readonly label: string;
  readonly run?: () => void;
  /** Why it cannot be chosen now. */
  readonly refused?: string | null;
  readonly keys?: string;
  /** How far it stands in, below what it belongs to. */
  readonly depth?: number;
  /** The label for those who do not see how far it stands in. */
  readonly fullLabel?: string;
  /** A dot of it stands before the label. */
  readonly color?: string;
  readonly isDangerous?: boolean;
  /** Shown with a mark when true. */
  readonly isChosen?: boolean;
  /** Choosing it leaves the menu open, for another one. */
  readonly keepsOpen?: boolean;
  readonly children?: readonly MenuEntry[];
}

export type MenuEntry = MenuItem | 'separator';

export interface Anchor {
  readonly x: number;
  readonly y: number;
  readonly width?: number;
  readonly height?: number;
}

export const MenuPopup = onDemand([], () => import('./menu-popup.jsx'));

/** A finger that is held this long asks for the menu. */
const HOLD_MS = 700;

export function MenuButton(props: {
  readonly label: JSX.Element;
  readonly entries: readonly MenuEntry[];
  readonly class?: string;
  readonly title?: string;
  /** @default 0 */
  readonly tabindex?: -1 | 0;
}) {
  const id = createUniqueId();
  const [isOpen, setIsOpen] = createSignal(false);
  const [isWanted, setIsWanted] = createSignal(false);
  /** By key: the first entry is where the next key begins. */
  const [isByKey, setIsByKey] = createSignal(false);
  let button!: HTMLButtonElement;
  const open = (byKey: boolean) => {
    // Not every browser does so: where the focus comes back to.
    button.focus();
    menuOpensAt(button);
    setIsByKey(byKey);
    setIsWanted(true);
    setIsOpen(true);
  };
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        class={props.class}
        aria-label={props.title}
        title={props.title}
        tabindex={props.tabindex}
        aria-haspopup="menu"
        aria-expanded={isOpen()}
        onClick={({ detail }) => (isOpen() ? setIsOpen(false) : open(detail === 0))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          event.stopPropagation();
          open(true);
        }}
      >
        {props.label}
      </button>
      <Show when={isWanted()}>
        <MenuPopup
          entries={props.entries}
          isOpen={isOpen()}
          onOpenChange={setIsOpen}
          isByKey={isByKey()}
          anchor={() => button.getBoundingClientRect()}
          placement="bottom-start"
          labelledBy={id}
          opener={button}
        />
      </Show>
    </>
  );
}

export function ContextArea(props: {
  readonly entries: readonly MenuEntry[];
  readonly children: JSX.Element;
  readonly class?: string;
}) {
  const [isOpen, setIsOpen] = createSignal(false);
  const [isWanted, setIsWanted] = createSignal(false);
  const [at, setAt] = createSignal<Anchor>({ x: 0, y: 0 });
  let timer: number | undefined;
  const letGo = () => clearTimeout(timer);
  onCleanup(letGo);
  const open = ({ clientX: x, clientY: y }: MouseEvent) => {
    menuOpensAt(document.activeElement);
    setAt({ x, y });
    setIsWanted(true);
    setIsOpen(true);
  };
  return (
    <>
      <div
        class={props.class}
        data-menu-area
        onContextMenu={(event) => {
          if (event.defaultPrevented) return;
          letGo();
          event.preventDefault();
          event.stopPropagation();
          open(event);
        }}
        onPointerDown={(event) => {
          if (event.pointerType === 'mouse') return;
          letGo();
          timer = window.setTimeout(() => open(event), HOLD_MS);
        }}
        onPointerMove={letGo}
        onPointerUp={letGo}
        onPointerCancel={letGo}
      >
        {props.children}
      </div>
      <Show when={isWanted()}>
        <MenuPopup
          entries={props.entries}
          isOpen={isOpen()}
          onOpenChange={setIsOpen}
          isByKey={false}
          anchor={at}
          placement="right-start"
        />
      </Show>
    </>
  );
}

/** A finger that was held to open a menu may still click when it is lifted. */
export function isMenuOpen(): boolean {
  return document.querySelector('[role="menu"]') !== null;
}
