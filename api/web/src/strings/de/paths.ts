import type { Translated } from '../index.js';
import type { paths as en } from '../paths.js';

export const paths: Translated<typeof en> = {
  list: 'Ordner auf dem Server',
  found: { one: '{count} Ordner', other: '{count} Ordner' },
  more: 'Weitertippen, um mehr Ordner zu sehen.',
  free: '{free} frei von {total}',
  willBeMade: 'Dieser Ordner wird angelegt.',
  lacking: 'Benötigt {needed}, hier sind aber nur {free} frei.',
};
