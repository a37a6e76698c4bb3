// The colours of the theme for what is drawn and not styled; they change when the theme does.
import { createSignal, onCleanup, type Accessor } from 'solid-js';

export type ColorToken =
  '--accent' | '--good' | '--bad' | '--warn' | '--track' | '--text-muted' | '--border' | '--surface';

export function createThemeColors(): Accessor<(token: ColorToken) => string> {
  const read = () => {
    const style = getComputedStyle(document.documentElement);
    return (token: ColorToken) => style.getPropertyValue(token).trim();
  };
  const [colors, setColors] = createSignal(read(), { equals: false });
  const observer = new MutationObserver(() => setColors(() => read()));
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  onCleanup(() => observer.disconnect());
  return colors;
}
