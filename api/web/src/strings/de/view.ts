// Texte dazu, wie die Liste aussieht, und zu den Ansichten, die man von ihr speichert.
import type { Translated } from '../index.js';
import type { view as english } from '../view.js';

export const view: Translated<typeof english> = {
  density: 'Zeilenhöhe',
  comfortable: 'Bequem',
  compact: 'Kompakt',
  dense: 'Dicht',
};
