import type { Translated } from '../index.js';
import type { help as en } from '../help.js';

export const help: Translated<typeof en> = {
  title: 'Tastenkürzel',
  scope: { page: 'Überall', list: 'Torrent-Liste' },
  key: { Shift: 'Umschalt', Ctrl: 'Strg', Del: 'Entf', Home: 'Pos1', End: 'Ende', Space: 'Leertaste' },
  add: 'Torrents hinzufügen',
  search: 'Torrents suchen',
  side: 'Seitenleiste ein- oder ausblenden',
  goTorrents: 'Zu den Torrents',
  goStatistics: 'Zur Statistik',
  goFeeds: 'Zu den Feeds',
  goSettings: 'Zu den Einstellungen',
  help: 'Tastenkürzel anzeigen',
  move: 'Voriger oder nächster Torrent',
  extend: 'Auswahl erweitern',
  ends: 'Zum ersten oder letzten',
  toggle: 'Auswählen oder abwählen',
  selectAll: 'Alle auswählen',
  open: 'Details öffnen',
  leave: 'Details schließen, Auswahl aufheben',
  pause: 'Ausgewählte Torrents anhalten',
  resume: 'Ausgewählte Torrents fortsetzen',
  remove: 'Ausgewählte Torrents entfernen',
  undo: 'Letztes Entfernen rückgängig machen',
  queue: 'In der Warteschlange nach oben oder unten',
};
