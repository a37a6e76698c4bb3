import type { Translated } from '../index.js';
import type { handlers as en } from '../handlers.js';

export const handlers: Translated<typeof en> = {
  title: 'Dieser Browser',
  about:
    'Magnet-Links anderer Seiten hier öffnen. Als App installiert öffnet Swarmd auch .torrent-Dateien und erscheint dort, wo Links geteilt werden.',
  register: 'Magnet-Links mit Swarmd öffnen',
  asked:
    'Bestätige es, falls der Browser fragt. Magnet-Links öffnen sich dann hier, und nichts wird hinzugefügt, bevor du es sagst.',
  insecure: 'Browser erlauben das nur über HTTPS oder auf diesem Rechner (localhost).',
  unsupported: 'Dieser Browser kann Magnet-Links nicht mit einer Seite öffnen.',
  failed: 'Der Browser hat abgelehnt: {reason}',
};
