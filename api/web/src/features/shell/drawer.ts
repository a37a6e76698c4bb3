// The side bar of a phone is a drawer: it takes the focus when it opens and gives it back, Escape closes it, and a page
// that grows wide needs none. What is behind it is made inert by who shows it.
import { createEffect, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import { isPhone } from './phone.js';

export interface Drawer {
  readonly isOpen: Accessor<boolean>;
  readonly ref: (element: HTMLElement) => void;
  readonly toggle: () => void;
  readonly close: () => void;
}

export function createDrawer(): Drawer {
  const [isOpen, setIsOpen] = createSignal(false);
  const close = () => void setIsOpen(false);
  let drawer: HTMLElement | undefined;
  let before: Element | null = null;
  createEffect(
    on(isOpen, (isOpenNow) => {
      if (!isOpenNow) return;
      const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && close();
      drawer?.querySelector<HTMLElement>('a, button')?.focus();
      document.addEventListener('keydown', onKeyDown);
      onCleanup(() => {
        document.removeEventListener('keydown', onKeyDown);
        if (before instanceof HTMLElement) before.focus();
      });
    }),
  );
  createEffect(() => {
    if (!isPhone()) close();
  });
  return {
    isOpen,
    ref: (element) => void (drawer = element),
    toggle() {
      if (isOpen()) return close();
      // What is inert has lost the focus.
      before = document.activeElement;
      setIsOpen(true);
    },
    close,
  };
}
