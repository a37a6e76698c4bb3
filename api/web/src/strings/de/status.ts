import type { Translated } from '../index.js';
import type { status as en } from '../status.js';

export const status: Translated<typeof en> = {
  title: 'Statusleiste',
  session: 'Sitzung',
  sessionHelp: 'Übertragen, seit Swarmd vor {uptime} gestartet wurde: {down} heruntergeladen, {up} hochgeladen',
  total: 'Gesamt',
  totalHelp: 'Übertragen seit {date}: {down} heruntergeladen, {up} hochgeladen',
  totalNone: 'Noch nichts übertragen',
  ratio: 'Ratio',
  ratioHelp: 'Insgesamt hochgeladen geteilt durch insgesamt heruntergeladen',
  noRatio: '–',
  peers: 'Peers',
  peersHelp: { one: 'Mit {count} Peer verbunden', other: 'Mit {count} Peers verbunden' },
  free: '{free} frei',
  freeUnknown: 'Datenträger antwortet nicht',
  disk: '{free} von {total} frei',
  diskWhere: '{where}: {free} von {total} frei',
  limit: 'Limit {rate}',
  limitBy: {
    global: 'Globales Limit: {rate}',
    alt: 'Alternatives Limit: {rate}',
    rule: 'Limit der Zeitplanregel {id}: {rate}',
  },
  noLimit: 'Kein Limit',
  spark: 'Geschwindigkeit der letzten 5 Minuten: höchstens {down} Download, {up} Upload',
  port: {
    name: 'Port',
    reachable: 'Erreichbar: Peers verbinden sich von außen',
    reachableAt: 'Port {port} ist erreichbar: Peers verbinden sich von außen',
    unknown: 'Noch keine eingehende Verbindung: Der Port ist vielleicht durch Router oder Firewall gesperrt',
    unknownAt:
      'Noch keine eingehende Verbindung auf Port {port}: Er ist vielleicht durch Router oder Firewall gesperrt',
    closed: 'Nicht verbunden: Für Peers ist kein Port offen',
  },
  dht: {
    name: 'DHT',
    off: 'DHT ist ausgeschaltet',
    nodes: { one: 'DHT: {count} Knoten', other: 'DHT: {count} Knoten' },
    none: 'DHT: noch nicht verbunden',
  },
};
