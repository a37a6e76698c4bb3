import type { bans as english } from '../bans.js';
import type { Translated } from '../index.js';

export const bans: Translated<typeof english> = {
  title: 'Gesperrte Adressen',
  about:
    'Peers mit diesen Adressen werden in allen Torrents aller Konten getrennt und blockiert, mit oder ohne Blockliste.',
  none: 'Keine Adresse ist gesperrt.',
  list: 'Gesperrte Adressen',
  search: 'Gesperrte Adressen filtern',
  noMatch: 'Keine passende Adresse.',
  more: { one: '{count} weitere; zum Finden filtern.', other: '{count} weitere; zum Finden filtern.' },
  by: '{time}, von {name}',
  byDeleted: '{time}, von einem gelöschten Konto',
  unban: 'Entsperren',
  unbanOf: '{address} entsperren',
  unbanned: '{address} entsperrt.',
  add: 'Adressen sperren …',
  addTitle: 'Adressen sperren',
  addresses: 'Adressen',
  addHelp: 'Je Zeile eine Adresse oder ein Netz, z. B. 203.0.113.7, 2001:db8::/64.',
  added: { one: '{count} Adresse gesperrt.', other: '{count} Adressen gesperrt.' },
  peer: {
    title: 'Diesen Peer sperren?',
    text: '{address} wird jetzt getrennt und in allen Torrents blockiert, bis die Sperre unter Einstellungen, Blockliste aufgehoben wird.',
    network: 'Das ganze Netz (/64), da Peers ihre Adresse darin wechseln',
    confirm: 'Sperren',
    done: '{address} gesperrt.',
  },
};
