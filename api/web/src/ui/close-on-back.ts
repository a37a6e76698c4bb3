// What fills the screen of a phone is left by its way back, as a page would be.
import { onCleanup } from 'solid-js';

const MARK = 'swarmdSheet';

/** For a component that is there as long as it is open. */
export function closeOnBack(close: () => void): void {
  history.pushState({ ...(history.state as object | null), [MARK]: true }, '');
  const onPopState = () => close();
  addEventListener('popstate', onPopState);
  onCleanup(() => {
    removeEventListener('popstate', onPopState);
    // Closed in another way, and not by going to another page: the step that was made for it is taken back.
    if ((history.state as Readonly<Record<string, unknown>> | null)?.[MARK] === true) history.back();
  });
}
