// Every keyboard shortcut, once: the handler and the sheet both read this table. Pure.
import type { TextKey } from '../../strings/index.js';

export type ShortcutAction =
  | 'help'
  | 'side'
  | 'search'
  | 'add'
  | 'goTorrents'
  | 'goStatistics'
  | 'goFeeds'
  | 'goSettings'
  | 'pause'
  | 'resume'
  | 'remove'
  | 'undo'
  | 'open'
  | 'toggle'
  | 'selectAll'
  | 'leave'
  | 'queueUp'
  | 'queueDown'
  | `${'' | 'extend'}${'Down' | 'Up' | 'PageDown' | 'PageUp' | 'Home' | 'End'}`;

/**
 * `page`: wherever nothing else takes the key. `list`: only while the list has the focus, or nothing has; elsewhere the
 * key has a meaning of its own.
 */
export type Scope = 'page' | 'list';

export interface Shortcut {
  readonly action: ShortcutAction;
  /** Keys as `comboOf` writes them; two that are pressed one after the other have a space between. */
  readonly keys: string;
  readonly scope: Scope;
  /** The text of the sheet; without one it is told together with another. */
  readonly does?: TextKey;
  /** The names that the sheet shows instead of the keys. */
  readonly shown?: readonly string[];
}

export const SHORTCUTS: readonly Shortcut[] = [
  { action: 'add', keys: 'a', scope: 'page', does: 'help.add' },
  { action: 'search', keys: '/', scope: 'page', does: 'help.search' },
  { action: 'side', keys: 'b', scope: 'page', does: 'help.side' },
  { action: 'goTorrents', keys: 'g t', scope: 'page', does: 'help.goTorrents' },
  { action: 'goStatistics', keys: 'g d', scope: 'page', does: 'help.goStatistics' },
  { action: 'goFeeds', keys: 'g f', scope: 'page', does: 'help.goFeeds' },
  { action: 'goSettings', keys: 'g s', scope: 'page', does: 'help.goSettings' },
  { action: 'help', keys: '?', scope: 'page', does: 'help.help' },
  { action: 'Down', keys: 'ArrowDown', scope: 'list', does: 'help.move', shown: ['↑ ↓'] },
  { action: 'Up', keys: 'ArrowUp', scope: 'list' },
  { action: 'extendDown', keys: 'Shift+ArrowDown', scope: 'list', does: 'help.extend', shown: ['Shift ↑ ↓'] },
  { action: 'extendUp', keys: 'Shift+ArrowUp', scope: 'list' },
  { action: 'PageDown', keys: 'PageDown', scope: 'list' },
  { action: 'PageUp', keys: 'PageUp', scope: 'list' },
  { action: 'extendPageDown', keys: 'Shift+PageDown', scope: 'list' },
  { action: 'extendPageUp', keys: 'Shift+PageUp', scope: 'list' },
  { action: 'Home', keys: 'Home', scope: 'list', does: 'help.ends', shown: ['Home', 'End'] },
  { action: 'End', keys: 'End', scope: 'list' },
  { action: 'extendHome', keys: 'Shift+Home', scope: 'list' },
  { action: 'extendEnd', keys: 'Shift+End', scope: 'list' },
  { action: 'toggle', keys: 'Space', scope: 'list', does: 'help.toggle' },
  { action: 'selectAll', keys: 'Ctrl+a', scope: 'list', does: 'help.selectAll', shown: ['Ctrl A'] },
  { action: 'open', keys: 'Enter', scope: 'list', does: 'help.open' },
  { action: 'leave', keys: 'Escape', scope: 'list', does: 'help.leave', shown: ['Esc'] },
  { action: 'pause', keys: 'p', scope: 'page', does: 'help.pause' },
  { action: 'resume', keys: 'r', scope: 'page', does: 'help.resume' },
  { action: 'remove', keys: 'Delete', scope: 'list', does: 'help.remove', shown: ['Del'] },
  { action: 'undo', keys: 'Ctrl+z', scope: 'page', does: 'help.undo', shown: ['Ctrl Z'] },
  { action: 'queueUp', keys: 'Alt+ArrowUp', scope: 'list', does: 'help.queue', shown: ['Alt ↑ ↓'] },
  { action: 'queueDown', keys: 'Alt+ArrowDown', scope: 'list' },
];

/** The part of a KeyboardEvent that tells the keys. */
export interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Writes keys as in the table. What Shift makes of a character is in the character; Ctrl is the Mac's Command too. */
export function comboOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed): string {
  const name = key === ' ' ? 'Space' : key;
  const isCharacter = name.length === 1;
  return [
    ctrlKey || metaKey ? 'Ctrl+' : '',
    altKey ? 'Alt+' : '',
    shiftKey && !isCharacter ? 'Shift+' : '',
    isCharacter && !shiftKey ? name.toLowerCase() : name,
  ].join('');
}

export type Outcome =
  | { readonly kind: 'action'; readonly action: ShortcutAction }
  /** The first key of a pair: what it waits behind. */
  | { readonly kind: 'begun'; readonly pending: string }
  | { readonly kind: 'none' };

/** `pending`: what was begun just before, or nothing. `isListKey`: whether keys of the list mean the list now. */
export function outcomeOf(pending: string | null, combo: string, isListKey: boolean): Outcome {
  const meant = SHORTCUTS.filter(({ scope }) => scope === 'page' || isListKey);
  const keys = pending === null ? combo : `${pending} ${combo}`;
  const found = meant.find((shortcut) => shortcut.keys === keys);
  if (found) return { kind: 'action', action: found.action };
  if (meant.some((shortcut) => shortcut.keys.startsWith(`${keys} `))) return { kind: 'begun', pending: keys };
  return pending === null ? { kind: 'none' } : outcomeOf(null, combo, isListKey);
}
