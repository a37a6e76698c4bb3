import type { Translated } from '../index.js';
import type { add as en } from '../add.js';

export const add: Translated<typeof en> = {
  dialogTitle: 'Torrents hinzufügen',
  links: 'Magnet-Links, URLs oder Infohashes',
  linksHelp: 'Einer pro Zeile. Strg+Enter zum Hinzufügen.',
  unknown: 'Kein Magnet-Link, keine URL, kein Infohash: {text}',
  chooseFiles: '.torrent-Dateien auswählen …',
  orDrop: 'oder irgendwo auf die Seite ziehen',
  sources: 'Zum Hinzufügen bereit',
  kind: { magnet: 'Magnet', url: 'URL', file: 'Datei' },
  result: { adding: 'Wird hinzugefügt …', added: 'Hinzugefügt', existed: 'Bereits in der Liste' },
  takeOut: '{name} weglassen',
  tooLarge: 'Die Datei ist größer als 10 MiB.',
  category: 'Kategorie',
  savePath: 'Speicherort',
  savePathHelp: 'Folgt der Kategorie, solange er nicht geändert wird.',
  paused: 'Angehalten hinzufügen',
  sequential: 'Der Reihe nach herunterladen',
  submit: 'Hinzufügen',
  submitMany: { one: '{count} Torrent hinzufügen', other: '{count} Torrents hinzufügen' },
  adding: 'Wird hinzugefügt …',
  nothing: 'Zuerst einen Link einfügen oder eine Datei auswählen.',
  added: { one: 'Torrent hinzugefügt.', other: '{count} Torrents hinzugefügt.' },
  addedNamed: '„{name}“ hinzugefügt.',
  existedNamed: '„{name}“ war bereits in der Liste.',
  existed: { one: '{count} war bereits in der Liste.', other: '{count} waren bereits in der Liste.' },
};
