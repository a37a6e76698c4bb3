import type { Translated } from '../index.js';
import type { log as en } from '../log.js';

export const log: Translated<typeof en> = {
  title: 'Protokoll',
  about: 'Was Swarmd seit dem Start protokolliert hat, das Neueste zuerst. Passwörter und Passkeys sind verborgen.',
  level: 'Stufe',
  from: { debug: 'Alles', info: 'Ab Info', warn: 'Warnungen und Fehler', error: 'Fehler' },
  levels: { debug: 'Debug', info: 'Info', warn: 'Warnung', error: 'Fehler' },
  part: 'Quelle',
  everyPart: 'Alle',
  parts: { api: 'Dienst', engine: 'Engine' },
  search: 'Protokoll durchsuchen',
  live: 'Automatisch aktualisieren',
  download: 'Herunterladen',
  atLevel: 'Swarmd protokolliert ab der Stufe „{level}“; mehr zeigt ein Start mit --log-level debug.',
  none: 'Keine passenden Zeilen.',
  lines: 'Zeilen des Protokolls',
};
