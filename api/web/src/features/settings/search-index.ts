// What can be searched for in the settings: each field and section by its label, with the help that says more of it and
// words that people type instead, by the page on which it is. A label that is shown only after a choice is found by what it
// depends on.
import { t, type TextKey } from '../../strings/index.js';
import { PAGES, type PageId } from './pages.js';

type Entry = readonly [label: TextKey, ...help: TextKey[]];

const ENTRIES: Readonly<Record<PageId, readonly Entry[]>> = {
  speed: [
    ['settings.speed.usual', 'settings.search.also.speed'],
    ['settings.speed.down', 'settings.search.also.speed'],
    ['settings.speed.up', 'settings.search.also.speed'],
    ['settings.speed.alt', 'settings.search.also.alt'],
    ['settings.speed.altDown'],
    ['settings.speed.altUp'],
    ['settings.speed.useAlt'],
  ],
  schedule: [['settings.schedule.rules', 'settings.schedule.serverTime', 'settings.search.also.schedule']],
  queue: [
    ['settings.queue.downloads', 'settings.queue.about', 'settings.search.also.queue'],
    ['settings.queue.seeds', 'settings.queue.about', 'settings.search.also.queue'],
    ['settings.queue.stalled', 'settings.queue.stalledHelp', 'settings.search.also.queue'],
  ],
  seeding: [
    ['settings.seeding.ratio', 'settings.seeding.about', 'settings.search.also.seeding'],
    ['settings.seeding.time', 'settings.seeding.about', 'settings.search.also.seeding'],
    ['options.seeding.inactive', 'settings.search.also.seeding'],
    ['options.seeding.action', 'settings.search.also.seeding'],
  ],
  automations: [['automations.add', 'automations.about', 'settings.search.also.automations']],
  peers: [
    ['settings.peers.max', 'settings.search.also.peers'],
    ['settings.peers.port', 'settings.peers.portHelp', 'settings.search.also.port'],
    ['settings.peers.dht', 'settings.peers.dhtHelp'],
    ['options.connections.maxPeers', 'settings.search.also.peers'],
    ['options.connections.slots'],
    ['options.connections.encryption', 'options.connections.policies.required', 'settings.search.also.encryption'],
    ['options.connections.lsd', 'options.connections.lsdHelp'],
    ['settings.peers.upnp', 'settings.peers.upnpHelp', 'settings.search.also.upnp'],
  ],
  network: [
    ['options.network.bind', 'options.network.bindHelp', 'settings.search.also.vpn'],
    ['options.network.ports', 'options.network.portsHelp', 'settings.search.also.port'],
    ['options.network.anonymous', 'options.network.anonymousHelp'],
    ['options.network.proxy', 'options.network.kinds.socks5', 'settings.search.also.proxy'],
    ['options.network.status'],
  ],
  downloads: [
    ['settings.downloads.save', 'settings.downloads.pathHelp', 'settings.search.also.folder'],
    ['settings.downloads.watch', 'settings.downloads.watchAbout', 'settings.search.also.watch'],
    ['settings.downloads.watchOn'],
    ['settings.downloads.watchPath'],
    ['settings.downloads.deleteAfter', 'settings.downloads.deleteAfterHelp'],
    ['options.adding.paused', 'options.adding.about'],
    ['options.adding.incompletePath', 'options.adding.incompletePathHelp', 'settings.search.also.incomplete'],
    ['options.adding.suffix', 'options.adding.suffixHelp'],
    ['options.adding.layout'],
    ['options.adding.preallocation', 'settings.search.also.preallocation'],
    ['options.adding.portable', 'options.adding.portableHelp'],
    ['handlers.register', 'handlers.about', 'settings.search.also.handlers'],
  ],
  blocklist: [
    ['settings.blocklist.enabled', 'settings.blocklist.about', 'settings.search.also.blocklist'],
    ['settings.blocklist.url'],
    ['bans.title', 'bans.about', 'settings.search.also.bans'],
  ],
  labels: [
    ['labels.categories', 'labels.categoriesAbout', 'settings.search.also.labels'],
    ['labels.tags', 'labels.tagsAbout', 'settings.search.also.labels'],
  ],
  web: [
    ['settings.web.language', 'settings.web.languageAbout'],
    ['settings.web.port', 'settings.search.also.webPort'],
    ['settings.web.bindAll', 'settings.search.also.bindAll'],
    ['settings.web.username', 'settings.web.usernameHelp'],
    ['settings.web.password', 'settings.web.passwordAbout', 'settings.search.also.password'],
    ['settings.web.key', 'settings.search.also.key'],
  ],
  import: [
    ['imports.from', 'imports.about', 'settings.search.also.import'],
    ['imports.path'],
    ['imports.where', 'imports.whereIs.archive'],
    ['imports.map', 'imports.mapAbout'],
  ],
  tools: [
    ['settings.tools.qbittorrent', 'settings.tools.about'],
    ['settings.tools.transmission', 'settings.tools.about'],
    ['settings.tools.connect', 'settings.search.also.tools'],
  ],
  webhooks: [
    [
      'webhooks.add',
      'webhooks.about',
      'webhooks.emptyHow',
      'webhooks.events',
      'webhooks.sample.title',
      'webhooks.sample.signature',
      'settings.search.also.webhooks',
    ],
  ],
  // Engines are there only where the server has several.
  servers: [['servers.add', 'servers.about', 'engines.title', 'engines.about', 'settings.search.also.servers']],
  // The form is there only where updates can be looked for.
  updates: [
    ['settings.updates.check', 'settings.updates.enabled', 'settings.search.also.updates'],
    ['settings.updates.lastSeen'],
  ],
  backups: [
    ['backups.make', 'backups.about', 'settings.search.also.backups'],
    ['backups.schedule', 'settings.search.also.backups'],
    ['backups.restore.title', 'backups.restore.how', 'settings.search.also.backups'],
  ],
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
      'settings.search.also.accounts',
    ],
  ],
  // Found by its name.
  log: [],
  about: [
    ['settings.about.version', 'settings.search.also.version'],
    ['settings.about.docs', 'settings.search.also.docs'],
  ],
};

export interface Found {
  readonly page: PageId;
  /** null: the page itself. */
  readonly label: string | null;
}

/** From so many letters on a word is looked for within words as well, as German puts them together: `port` does not find `Import`. */
const LEAST_WITHIN = 5;

/** Each word has to be in the label, the help or the name of the page. Those with all words in the label come first. */
export function searchSettings(query: string): readonly Found[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const holdsAll = (text: string) => {
    const there = wordsOf(text);
    return words.every((word) => there.some((each) => holds(each, word)));
  };
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

function holds(text: string, word: string): boolean {
  return word.length < LEAST_WITHIN ? text.startsWith(word) : text.includes(word);
}

/** In lower case, without accents: `ubertragung` finds `Übertragung`. */
function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
