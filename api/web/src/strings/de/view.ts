// Texte dazu, wie die Liste aussieht, und zu den Ansichten, die man von ihr speichert.
import type { Translated } from '../index.js';
import type { view as english } from '../view.js';

export const view: Translated<typeof english> = {
  density: 'Zeilenhöhe',
  comfortable: 'Bequem',
  compact: 'Kompakt',
  dense: 'Dicht',
  title: 'Ansichten',
  save: 'Ansicht speichern …',
  open: 'Öffnen',
  replace: 'Durch das Angezeigte ersetzen',
  rename: 'Umbenennen …',
  remove: 'Entfernen',
  removed: 'Ansicht „{name}“ entfernt.',
  more: 'Ansicht „{name}“: mehr',
  notSaved: 'Layout und Ansichten ließen sich nicht speichern: {reason}',
};
