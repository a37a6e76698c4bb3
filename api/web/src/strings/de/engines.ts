import type { engines as english } from '../engines.js';
import type { Translated } from '../index.js';

export const engines: Translated<typeof english> = {
  title: 'Engines',
  about:
    'Die Torrents dieses Servers laufen auf mehreren Engines. Jedes Konto liegt auf einer davon: auf der Standard-Engine, wenn keine andere gewählt ist und seine Torrents nicht auf die Engines verteilt werden.',
  isDefault: 'Standard',
  states: { connected: 'Verbunden', loading: 'Lädt Torrents', away: 'Nicht erreichbar' },
  away: 'Nicht erreichbar seit {time}: {reason}',
  awayWithout: 'Nicht erreichbar seit {time}',
  reasons: {
    nobodyThere: 'unter dieser Adresse antwortet nichts',
    closed: 'die Verbindung ist beendet',
    silent: 'sie antwortet nicht mehr',
    notReached: 'noch nicht erreicht',
    refused: 'sie lehnt die Verbindung ab ({reason})',
    tooManyTorrents: 'sie meldet mehr Torrents, als in den Speicher von Swarmd passen',
  },
  torrents: { one: '{count} Torrent', other: '{count} Torrents' },
  accounts: { one: '{count} Konto', other: '{count} Konten' },
  version: 'Swarmd {version}',
  port: 'Peer-Port\u00a0{port}',
  roots: 'Speichert in {roots}',
  root: '{path} ({name})',
  sharedRoot: '{path} ({name}, gemeinsam)',
  drain: 'Räumen',
  use: 'Wieder verwenden',
  draining: 'Wird geräumt',
  drainingAbout: 'Ihre Torrents in gemeinsamen Ordnern gehen an andere Engines, und sie speichert nichts Neues.',
  drainOne: 'Räumen: {name}',
  useOne: 'Wieder verwenden: {name}',
  anywhere: 'Speichert überall',
};
