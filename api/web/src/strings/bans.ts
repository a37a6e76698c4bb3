// Texts of bans by hand: of a peer, and of all that there are.
export const bans = {
  title: 'Banned addresses',
  about:
    'Peers at these addresses are disconnected and blocked, in all torrents of all accounts, with or without a blocklist.',
  none: 'No address is banned.',
  list: 'Banned addresses',
  search: 'Filter banned addresses',
  noMatch: 'No matching address.',
  more: { one: '{count} more; filter to find it.', other: '{count} more; filter to find them.' },
  by: '{time}, by {name}',
  byDeleted: '{time}, by a deleted account',
  unban: 'Unban',
  unbanOf: 'Unban {address}',
  unbanned: 'Unbanned {address}.',
  add: 'Ban addresses…',
  addTitle: 'Ban addresses',
  addresses: 'Addresses',
  addHelp: 'One per line, an address or a network, e.g. 203.0.113.7, 2001:db8::/64.',
  added: { one: 'Banned {count} address.', other: 'Banned {count} addresses.' },
  peer: {
    title: 'Ban this peer?',
    text: '{address} is disconnected now and blocked in all torrents, until you unban it in Settings, Blocklist.',
    network: 'Its whole network (/64), as peers change their address within it',
    confirm: 'Ban',
    done: 'Banned {address}.',
  },
};
