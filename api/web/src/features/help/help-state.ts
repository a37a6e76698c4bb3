// Whether the sheet of keyboard shortcuts is open: by `?` from anywhere, and from the menu of the account.
import { createSignal } from 'solid-js';

const [isHelpOpen, setIsHelpOpen] = createSignal(false);

export { isHelpOpen };

export function openHelp(): void {
  setIsHelpOpen(true);
}

export function closeHelp(): void {
  setIsHelpOpen(false);
}
