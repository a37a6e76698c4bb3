import type { backups as en } from '../backups.js';
import type { Translated } from '../index.js';

export const backups: Translated<typeof en> = {
  about:
    'Ein Backup ist ein Archiv mit den Torrents und ihrem Fortschritt, Konten, Einstellungen, Kategorien, Tags, Feeds, Regeln, Zeitplan und Verlauf. Die heruntergeladenen Dateien selbst sind nicht darin.',
  secret:
    'Nicht weitergeben: Es enthält Passwort-Hashes, Geheimnisse von Webhooks und Passkeys für Tracker. Eine Kopie auf einem anderen Rechner hilft auch dann noch, wenn der Datenträger dieses Servers ausfällt.',
  engines:
    'Mit --engine oder --engines liegen die Torrents stattdessen in den Datenverzeichnissen der Engines; diese auch sichern.',
  list: 'Backups',
  emptyTitle: 'Noch keine Backups',
  emptyHow:
    'Eines erstellen vor einem Update, einem Umzug auf einen anderen Rechner oder großen Änderungen, und herunterladen, um es woanders aufzubewahren.',
  make: 'Jetzt sichern',
  making: 'Wird gesichert …',
  running: 'Ein Backup wird erstellt. Swarmd läuft weiter.',
  made: 'Backup erstellt: {time}, {size}.',
  failed: 'Das letzte Backup ist fehlgeschlagen. {reason}',
  full: 'Es gibt schon {max} von Hand erstellte Backups; mehr sind nicht möglich. Zuerst einige löschen.',
  automatic: 'Automatisch',
  download: 'Herunterladen',
  downloadOf: '{name} herunterladen',
  delete: 'Löschen',
  deleteOf: '{name} löschen',
  deleteTitle: 'Dieses Backup löschen?',
  deleteText: '{name} vom {time} lässt sich danach nicht mehr wiederherstellen, außer von einer Kopie.',
  deleteConfirm: 'Backup löschen',
  folder: 'Ordner auf dem Server',
  schedule: 'Automatische Backups',
  never: 'Aus. Mit --backup-every 24 gestartet, erstellt Swarmd jeden Tag eines.',
  every: { one: 'Jede Stunde.', other: 'Alle {count} Stunden.' },
  keep: {
    one: 'Das neueste bleibt erhalten; von Hand erstellte bleiben alle.',
    other: 'Die neuesten {count} bleiben erhalten; von Hand erstellte bleiben alle.',
  },
  restore: {
    title: 'Backup wiederherstellen',
    how: 'Ein Backup wird auf der Befehlszeile wiederhergestellt, in ein Datenverzeichnis, das leer ist oder noch nicht existiert. Danach Swarmd mit diesem Verzeichnis starten.',
    command: 'swarmd restore ARCHIV --data-dir VERZEICHNIS',
    paths:
      'Liegen die heruntergeladenen Dateien dort in einem anderen Ordner, --map ALT=NEU anhängen. Fehlende Dateien werden als fehlend angezeigt.',
  },
  why: {
    full: 'Der Datenträger mit dem Ordner für Backups ist voll.',
    denied: 'Swarmd kann in den Ordner für Backups nicht schreiben ({code}).',
    noFolder: 'Der Ordner für Backups ist nicht nutzbar: An seiner Stelle liegt eine Datei.',
    ended: 'Der Prozess, der es schreibt, endete vorzeitig ({how}).',
  },
};
