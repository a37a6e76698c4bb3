// Texte dessen, was beim Tippen in der Suche angeboten wird.
import type { Translated } from '../index.js';
import type { operators as english } from '../operators.js';

export const operators: Translated<typeof english> = {
  tag: 'Nach Tag',
  category: 'Nach Kategorie',
  tracker: 'Nach Tracker',
  status: 'Nach Status',
  path: 'Nach Speicherort',
  name: 'Im Namen',
  is: 'Nach Status, privat, unvollständig …',
  hash: 'Im Infohash',
  size: 'Nach Größe, etwa size>10G',
  down: 'Nach Downloadgeschwindigkeit, etwa down>1M',
  up: 'Nach Uploadgeschwindigkeit, etwa up>1M',
  progress: 'Nach Fortschritt, etwa progress<50',
  ratio: 'Nach Ratio, etwa ratio<1',
  uploaded: 'Nach gesamtem Upload, etwa uploaded>1G',
  downloaded: 'Nach gesamtem Download, etwa downloaded>1G',
  remaining: 'Nach dem, was fehlt, etwa remaining<1G',
  seeds: 'Nach verbundenen Seeds, etwa seeds<1',
  peers: 'Nach verbundenen Peers, etwa peers>10',
  availability: 'Nach Kopien unter den Peers, etwa availability<1',
  added: 'Nach Alter, etwa added<7d',
  seeding: 'Nach Seeding-Zeit, etwa seeding>2w',
  none: 'Ohne',
  word: {
    forced: 'Start erzwungen',
    sequential: 'Sequenzieller Download',
    private: 'Privat',
    public: 'Öffentlich',
    incomplete: 'Unvollständig',
  },
  options: 'Was man eingeben kann',
  found: { one: '{count} Vorschlag', other: '{count} Vorschläge' },
  help: 'Alle Operatoren und Beispiele …',
};
