// Dark or light: as the system wishes, unless the user has chosen.
import { createRoot } from 'solid-js';
import { createPreference, isOneOf } from '../state/preferences.js';
import { createEffect, createSignal } from 'solid-js';

const CHOICES = ['system', 'dark', 'light'] as const;
export type ThemeChoice = (typeof CHOICES)[number];

export const [themeChoice, setThemeChoice, applyTheme] = createRoot(() => {
  const [choice, setChoice] = createPreference<ThemeChoice>('theme', 'system', isOneOf(CHOICES));
  const wish = matchMedia('(prefers-color-scheme: light)');
  const [wishesLight, setWishesLight] = createSignal(wish.matches);
  wish.addEventListener('change', () => setWishesLight(wish.matches));
  const apply = () => {
    const isLight = choice() === 'system' ? wishesLight() : choice() === 'light';
    document.documentElement.dataset['theme'] = isLight ? 'light' : 'dark';
  };
  createEffect(apply);
  return [choice, setChoice, apply] as const;
});
