// Texte der Fenster zu gespeicherten Ansichten.
import type { Translated } from '../index.js';
import type { views as english } from '../views.js';

export const views: Translated<typeof english> = {
  saveTitle: 'Ansicht speichern',
  renameTitle: 'Ansicht umbenennen',
  name: 'Name',
  keeps: 'Speichert den Filter ({filter}) und die Reihenfolge ({column}, {direction}).',
  everything: 'alle Torrents',
  replace: 'Ersetzen',
  rename: 'Umbenennen',
  replaces: 'Ersetzt die Ansicht „{name}“.',
  problem: {
    nameless: 'Bitte einen Namen eingeben.',
    longName: 'Der Name darf höchstens {length} Zeichen haben.',
    taken: 'Eine andere Ansicht heißt schon so.',
    many: 'Es gibt schon {count} gespeicherte Ansichten, mehr geht nicht. Bitte erst eine entfernen oder mit ihrem Namen ersetzen.',
    longFilter: 'Dieser Filter ist zu lang zum Speichern. Bitte weniger Labels oder Tracker wählen oder kürzer suchen.',
  },
};
