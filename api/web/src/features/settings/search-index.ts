// What can be searched for in the settings: each field and section by its label, with the help that says more of it, by the
// page on which it is. A label that is shown only after a choice is found by what it depends on.
import { t, type TextKey } from '../../strings/index.js';
import { PAGES, type PageId } from './pages.js';

type Entry = readonly [label: TextKey, ...help: TextKey[]];

const ENTRIES: Readonly<Record<PageId, readonly Entry[]>> = {
  speed: [
    ['settings.speed.usual'],
    ['settings.speed.down'],
    ['settings.speed.up'],
    ['settings.speed.alt'],
    ['settings.speed.altDown'],
    ['settings.speed.altUp'],
    ['settings.speed.useAlt'],
  ],
  schedule: [['settings.schedule.rules', 'settings.schedule.serverTime']],
  queue: [
    ['settings.queue.downloads', 'settings.queue.about'],
    ['settings.queue.seeds', 'settings.queue.about'],
  ],
  seeding: [
    ['settings.seeding.ratio', 'settings.seeding.about'],
    ['settings.seeding.time', 'settings.seeding.about'],
    ['options.seeding.inactive'],
    ['options.seeding.action'],
  ],
  automations: [['automations.add', 'automations.about']],
  peers: [
    ['settings.peers.max'],
    ['settings.peers.port', 'settings.peers.portHelp'],
    ['settings.peers.dht', 'settings.peers.dhtHelp'],
    ['options.connections.maxPeers'],
    ['options.connections.slots'],
    ['options.connections.encryption', 'options.connections.policies.required'],
    ['options.connections.lsd', 'options.connections.lsdHelp'],
    ['settings.peers.upnp', 'settings.peers.upnpHelp'],
  ],
  network: [
    ['options.network.bind', 'options.network.bindHelp'],
    ['options.network.ports', 'options.network.portsHelp'],
    ['options.network.anonymous', 'options.network.anonymousHelp'],
    ['options.network.proxy', 'options.network.kinds.socks5'],
    ['options.network.status'],
  ],
  downloads: [
    ['settings.downloads.save', 'settings.downloads.pathHelp'],
    ['settings.downloads.watch', 'settings.downloads.watchAbout'],
    ['settings.downloads.watchOn'],
    ['settings.downloads.watchPath'],
    ['settings.downloads.deleteAfter', 'settings.downloads.deleteAfterHelp'],
    ['options.adding.paused', 'options.adding.about'],
    ['options.adding.incompletePath', 'options.adding.incompletePathHelp'],
    ['options.adding.suffix', 'options.adding.suffixHelp'],
    ['options.adding.layout'],
    ['options.adding.preallocation'],
    ['options.adding.portable', 'options.adding.portableHelp'],
    ['handlers.register', 'handlers.about'],
  ],
  blocklist: [
    ['settings.blocklist.enabled', 'settings.blocklist.about'],
    ['settings.blocklist.url'],
    ['bans.title', 'bans.about'],
  ],
  labels: [
    ['labels.categories', 'labels.categoriesAbout'],
    ['labels.tags', 'labels.tagsAbout'],
  ],
  web: [
    ['settings.web.language', 'settings.web.languageAbout'],
    ['settings.web.port'],
    ['settings.web.bindAll'],
    ['settings.web.username', 'settings.web.usernameHelp'],
    ['settings.web.password', 'settings.web.passwordAbout'],
    ['settings.web.key'],
  ],
  import: [
    ['imports.from', 'imports.about'],
    ['imports.path'],
    ['imports.where', 'imports.whereIs.archive'],
    ['imports.map', 'imports.mapAbout'],
  ],
  tools: [
    ['settings.tools.qbittorrent', 'settings.tools.about'],
    ['settings.tools.transmission', 'settings.tools.about'],
    ['settings.tools.connect'],
  ],
  // Engines are there only where the server has several.
  servers: [['servers.add', 'servers.about', 'engines.title', 'engines.about']],
  // The form is there only where updates can be looked for.
  updates: [['settings.updates.check', 'settings.updates.enabled'], ['settings.updates.lastSeen']],
  // Most of an account is in its dialog.
  accounts: [
    [
      'accounts.new',
      'accounts.about',
      'accounts.may',
      'accounts.home',
      'quotas.title',
      'quotas.about',
      'accounts.engine',
    ],
  ],
  // Found by its name.
  log: [],
  about: [['settings.about.version'], ['settings.about.docs']],
};

export interface Found {
  readonly page: PageId;
  /** null: the page itself. */
  readonly label: string | null;
}

/** Each word has to be in the label, the help or the name of the page. Those with all words in the label come first. */
export function searchSettings(query: string): readonly Found[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const holdsAll = (text: string) => words.every((word) => plain(text).includes(word));
  const first: Found[] = [];
  const others: Found[] = [];
  for (const { id } of PAGES.filter((page) => page.isShown())) {
    const title = t(`settings.pages.${id}`);
    if (holdsAll(title)) first.push({ page: id, label: null });
    for (const [labelKey, ...help] of ENTRIES[id]) {
      const label = t(labelKey);
      if (holdsAll(label)) first.push({ page: id, label });
      else if (holdsAll([title, label, ...help.map((key) => t(key))].join(' '))) others.push({ page: id, label });
    }
  }
  return [...first, ...others];
}

/** In any case, without accents: `ubertragung` finds `Übertragung`. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
