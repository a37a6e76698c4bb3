import type { Translated } from '../index.js';
import type { bottlenecks as en } from '../bottlenecks.js';

export const bottlenecks: Translated<typeof en> = {
  title: 'Was die Geschwindigkeit begrenzt',
  looking: 'Die Peers werden angesehen …',
  disk: 'Ein Fehler hat ihn angehalten; die Übersicht sagt, welcher.',
  missing: 'Seine Dateien fehlen; die Übersicht sagt, was zu tun ist.',
  stopped: 'Er ist angehalten.',
  checking: 'Seine Dateien werden geprüft; danach geht es weiter.',
  moving: 'Seine Dateien werden verschoben; danach geht es weiter.',
  metadata: 'Seine Metadaten werden noch von Peers geholt.',
  firstPeers: 'Er hat Peers, hat aber noch nichts von ihnen angefordert.',
  queued: 'Er ist Nummer {position} in der Warteschlange. „Start erzwingen“ geht an ihr vorbei.',
  ownLimit: 'Er ist an seinem eigenen Limit von {limit} (Reiter Limits).',
  accountLimit: 'Alle Torrents des Kontos zusammen sind an seinem Limit von {limit}.',
  monthUsedUp:
    'Das Konto hat in diesem Monat so viel hochgeladen, wie es darf, und lädt ab dem {day} (UTC) wieder hoch.',
  sharedLimit: 'Alle Torrents zusammen sind am geltenden Limit von {limit} (Einstellungen, Geschwindigkeit).',
  noPeers: 'Kein Peer ist verbunden, und kein Tracker kennt Seeds.',
  noPeersOf: {
    one: 'Kein Peer ist verbunden, obwohl der Tracker {count} Seed zählt: Er ist von hier vielleicht nicht erreichbar.',
    other:
      'Kein Peer ist verbunden, obwohl der Tracker {count} Seeds zählt: Sie sind von hier vielleicht nicht erreichbar.',
  },
  noLeechers: 'Kein Peer ist verbunden: Zurzeit lädt ihn niemand herunter.',
  noLeechersOf: {
    one: 'Kein Peer ist verbunden, obwohl der Tracker {count} Leecher zählt. Ist der Port von außen erreichbar?',
    other: 'Kein Peer ist verbunden, obwohl der Tracker {count} Leecher zählt. Ist der Port von außen erreichbar?',
  },
  noSeeds: 'Kein Seed ist verbunden; der vollständigste Peer hat {most}.',
  choked: {
    one: '{count} Peer hat, was fehlt, und bedient zuerst andere.',
    other: '{count} Peers haben, was fehlt, und bedienen zuerst andere.',
  },
  snubbed: {
    one: '{count} Peer wurde nach Daten gefragt und hat seit einer Minute keine geschickt.',
    other: '{count} Peers wurden nach Daten gefragt und haben seit einer Minute keine geschickt.',
  },
  noneInterested: {
    one: 'Der {count} verbundene Peer braucht nichts von ihm.',
    other: 'Die {count} verbundenen Peers brauchen nichts von ihm.',
  },
  slots: {
    one: '{count} Peer wartet auf einen Upload-Slot (Reiter Limits).',
    other: '{count} Peers warten auf einen Upload-Slot (Reiter Limits).',
  },
  asFastAsPeers: {
    one: 'Hier hält ihn nichts auf: {count} Peer sendet, so schnell er kann.',
    other: 'Hier hält ihn nichts auf: {count} Peers senden, so schnell sie können.',
  },
  asFastAsWanted: {
    one: 'Hier hält ihn nichts auf: {count} Peer nimmt ab, so schnell er kann.',
    other: 'Hier hält ihn nichts auf: {count} Peers nehmen ab, so schnell sie können.',
  },
  tracker: 'Tracker {host}: {message}',
};
