// Texte der Suche in der Liste.
import type { search as english } from '../search.js';
import type { Translated } from '../index.js';

export const search: Translated<typeof english> = {
  hint: 'Wörter, "Wortfolge", -nicht, OR, /Muster/, tag:linux, size>10G; ↓ zeigt alles',
  broken: 'Kein gültiges Muster: {text}',
  title: 'In der Suche der Liste',
  word: 'Wörter im Namen, in beliebiger Reihenfolge',
  phrase: 'Eine Wortfolge',
  not: 'Ohne ein Wort, einen Tag oder sonst etwas von unten',
  or: 'Das eine oder das andere',
  pattern: 'Ein Muster wie in den Filtern der Feeds',
  label: 'Nach Kategorie oder Tag; none: ohne',
  place: 'Nach Tracker oder Speicherort',
  figure: 'Nach Größe, Ratio, Geschwindigkeit, Fortschritt, Mengen, Seeds oder Peers',
  age: 'In den letzten sieben Tagen hinzugefügt',
  state: 'Nach Status',
};
