import type { Translated } from '../index.js';
import type { quotas as en } from '../quotas.js';

export const quotas: Translated<typeof en> = {
  title: 'Kontingent',
  none: 'Kein Kontingent',
  about:
    'Leer oder 0 heißt unbegrenzt. Torrents zählen mit ihrer vollen Größe, auch bevor sie vollständig sind. Geschwindigkeiten gelten für alle Torrents des Kontos zusammen, Monate nach UTC.',
  bound: {
    bytes: 'Speicherplatz',
    torrents: 'Anzahl der Torrents',
    active: 'Laufende Torrents',
    down_kbps: 'Download-Geschwindigkeit',
    up_kbps: 'Upload-Geschwindigkeit',
    up_bytes_month: 'Upload pro Monat',
  },
  used: '{used} von {quota}',
  usedThisMonth: '{used} von {quota} in diesem Monat',
  torrentsUsed: '{used} von {quota} Torrents',
  upTo: 'Höchstens {quota}',
  ofAccount: {
    active: '{used} von {quota} laufend',
    up_bytes_month: '{used} von {quota} in diesem Monat hochgeladen',
  },
  atMost: {
    active: 'Höchstens {quota} laufend',
    down_kbps: 'Höchstens {quota} Download',
    up_kbps: 'Höchstens {quota} Upload',
    up_bytes_month: '{quota} Upload pro Monat',
  },
};
