// Texts of the engines of a front that has several.
export const engines = {
  title: 'Engines',
  about:
    'This server runs its torrents on several engines. Each account is on one of them: the default one, unless another is chosen for it.',
  isDefault: 'Default',
  states: { connected: 'Connected', loading: 'Loading torrents', away: 'Away' },
  away: 'Away since {time}: {reason}',
  awayWithout: 'Away since {time}',
  reasons: {
    nobodyThere: 'nothing answers at this address',
    closed: 'the connection has ended',
    silent: 'it does not answer any more',
    notReached: 'not reached yet',
    refused: 'it refuses the connection ({reason})',
  },
  torrents: { one: '{count} torrent', other: '{count} torrents' },
  accounts: { one: '{count} account', other: '{count} accounts' },
  version: 'Swarmd {version}',
  port: 'peer port\u00a0{port}',
  roots: 'Saves in {roots}',
  root: '{path} ({name})',
  anywhere: 'Saves anywhere',
} as const;
