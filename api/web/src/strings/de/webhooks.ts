import type { Translated } from '../index.js';
import type { webhooks as en } from '../webhooks.js';

export const webhooks: Translated<typeof en> = {
  about:
    'Ein Webhook meldet einem anderen Programm sofort, wenn mit einem sichtbaren Torrent etwas geschieht: Swarmd sendet eine signierte Nachricht an seine URL und versucht es drei Tage lang erneut, bis sie ankommt.',
  list: 'Webhooks',
  emptyTitle: 'Noch keine Webhooks',
  emptyHow:
    'Für n8n, Node-RED, Home Assistant oder ein eigenes Skript: um Dateien zu sortieren, eine Mediathek zu aktualisieren oder eine Nachricht zu bekommen, wenn ein Download fertig ist.',
  chats:
    'Discord, Slack und Telegram erwarten Nachrichten in eigener Form: Eines dieser Programme kann sie dorthin weitergeben.',
  add: 'Webhook hinzufügen',
  full: 'Es gibt schon {max} Webhooks; mehr sind nicht möglich.',
  newTitle: 'Webhook hinzufügen',
  editTitle: 'Webhook bearbeiten',
  url: 'URL',
  urlHelp: 'Wo das Programm Nachrichten annimmt. Adressen auf diesem Rechner oder im LAN brauchen --fetch-allow.',
  events: 'Ereignisse',
  eventsHelp: 'Ein freigegebener Torrent gilt als hinzugefügt, und als entfernt, wenn die Freigabe endet.',
  noEvent: 'Mindestens ein Ereignis auswählen.',
  allEvents: 'Alle Ereignisse',
  on: 'An',
  enable: '{url} einschalten',
  edit: '{url} bearbeiten',
  test: 'Testnachricht senden',
  testOf: 'Testnachricht senden an {url}',
  testing: 'Sendet …',
  taken: 'Der Empfänger hat die Testnachricht angenommen (HTTP {status}).',
  notTaken: 'Die Testnachricht kam nicht an. {reason}',
  tryNow: 'Jetzt versuchen',
  tryNowOf: 'Jetzt versuchen: {url}',
  newSecret: 'Neues Geheimnis',
  newSecretOf: 'Neues Geheimnis für {url}',
  newSecretTitle: 'Neues Geheimnis erzeugen?',
  newSecretText:
    'Bitte innerhalb von 24 Stunden im empfangenden Programm eintragen: So lange werden Nachrichten an {url} auch noch mit dem alten Geheimnis signiert.',
  newSecretConfirm: 'Neues Geheimnis erzeugen',
  delete: 'Löschen',
  deleteOf: '{url} löschen',
  deleteTitle: 'Diesen Webhook löschen?',
  deleteText:
    '{url} erfährt nichts mehr, auch wartende Nachrichten nicht. Das Geheimnis lässt sich nicht wiederverwenden.',
  deleteConfirm: 'Webhook löschen',
  event: {
    added: 'Hinzugefügt',
    metadata: 'Metadaten erhalten',
    completed: 'Download abgeschlossen',
    error: 'Durch einen Fehler gestoppt',
    removed: 'Entfernt',
  },
  state: { off: 'Aus', failing: 'Schlägt fehl' },
  never: 'Nichts gesendet, seit Swarmd läuft.',
  delivered: 'Zuletzt zugestellt: {time}',
  failed: 'Letzter Versuch fehlgeschlagen ({time}): {reason}',
  waiting: { one: '{count} Nachricht wartet.', other: '{count} Nachrichten warten.' },
  waitingUntil: {
    one: '{count} Nachricht wartet. Nächster Versuch: {time}',
    other: '{count} Nachrichten warten. Nächster Versuch: {time}',
  },
  dropped: {
    one: '{count} Nachricht wurde verworfen, seit Swarmd läuft.',
    other: '{count} Nachrichten wurden verworfen, seit Swarmd läuft.',
  },
  off: 'Ausgeschaltet: Was inzwischen geschieht, wird auch später nicht gesendet.',
  gone: 'Vom Empfänger ausgeschaltet ({time}): Er hat mit HTTP 410 geantwortet und möchte keine Nachrichten mehr.',
  answer: {
    redirect: 'HTTP {status}: Der Empfänger leitet zu einer anderen URL weiter. Bitte diese eintragen.',
    denied: 'HTTP {status}: Der Empfänger erlaubt es nicht. Benutzername, Passwort oder Schlüssel in der URL prüfen.',
    missing: 'HTTP {status}: Unter dieser URL hat der Empfänger nichts.',
    gone: 'HTTP {status}: Der Empfänger möchte keine Nachrichten mehr.',
    tooMany: 'HTTP {status}: Der Empfänger hat gerade zu viele Anfragen.',
    broken: 'HTTP {status}: ein Fehler des Empfängers.',
    other: 'HTTP {status}: Der Empfänger hat die Nachricht nicht angenommen. Vielleicht erwartet er eine andere Form.',
  },
  secret: {
    title: 'Geheimnis von {url}',
    once: 'Dieses Geheimnis jetzt kopieren. Es wird nur einmal angezeigt.',
    about:
      'Prüft das empfangende Programm Signaturen, dort eintragen: Es beweist, dass die Nachrichten von hier kommen.',
    lost: 'Geht es verloren, ein neues erzeugen.',
    copy: 'Geheimnis kopieren',
    done: 'Fertig',
  },
  sample: {
    title: 'Wie eine Nachricht aussieht',
    body: 'Eine POST-Anfrage mit diesem JSON. Eine Testnachricht hat den Typ webhook.test und keine Daten.',
    signature:
      'Der Header webhook-signature ist ein HMAC-SHA256 von ID, Zeit und Text, wie von Standard Webhooks (standardwebhooks.com) beschrieben; Bibliotheken dafür gibt es für die meisten Sprachen. Eine Nachricht kann zweimal ankommen, mit derselben webhook-id.',
    answer: 'Mit HTTP 200 bis 299 antworten. Bei allem anderen wird es erneut versucht; 410 schaltet den Webhook aus.',
  },
};
