// Texts of why a torrent is slow.
export const bottlenecks = {
  title: 'What limits the speed',
  looking: 'Looking at its peers…',
  disk: 'An error has stopped it; the overview says which.',
  missing: 'Its files are missing; the overview says what to do.',
  stopped: 'It is paused.',
  checking: 'Its files are being checked; it goes on afterwards.',
  moving: 'Its files are being moved; it goes on afterwards.',
  metadata: 'Its metadata is still being fetched from peers.',
  firstPeers: 'It has peers, but nothing has been asked of them yet.',
  queued: 'It is number {position} in the queue and waits for its turn. “Force start” goes past the queue.',
  ownLimit: 'It is at its own limit of {limit} (tab Limits).',
  accountLimit: 'All torrents of the account together are at its limit of {limit}.',
  monthUsedUp: 'The account has uploaded as much as it may this month, and uploads again from {day} (UTC).',
  sharedLimit: 'All torrents together are at the limit of {limit} that is in force (Settings, Speed).',
  noPeers: 'No peer is connected, and no tracker knows of seeds.',
  noPeersOf: {
    one: 'No peer is connected, although the tracker counts {count} seed: it may not be reachable from here.',
    other: 'No peer is connected, although the tracker counts {count} seeds: they may not be reachable from here.',
  },
  noLeechers: 'No peer is connected: nobody is downloading it at the moment.',
  noLeechersOf: {
    one: 'No peer is connected, although the tracker counts {count} leecher. Is the listening port reachable?',
    other: 'No peer is connected, although the tracker counts {count} leechers. Is the listening port reachable?',
  },
  noSeeds: 'No seed is connected; the most complete peer has {most}.',
  choked: {
    one: '{count} peer has what it needs, and lets others download first.',
    other: '{count} peers have what it needs, and let others download first.',
  },
  snubbed: {
    one: '{count} peer was asked for data and has not sent any for a minute.',
    other: '{count} peers were asked for data and have not sent any for a minute.',
  },
  noneInterested: {
    one: 'The {count} connected peer needs nothing from it.',
    other: 'The {count} connected peers need nothing from it.',
  },
  slots: {
    one: '{count} peer waits for an upload slot (tab Limits).',
    other: '{count} peers wait for an upload slot (tab Limits).',
  },
  asFastAsPeers: {
    one: 'Nothing here holds it back: {count} peer sends as fast as it can.',
    other: 'Nothing here holds it back: {count} peers send as fast as they can.',
  },
  asFastAsWanted: {
    one: 'Nothing here holds it back: {count} peer takes data as fast as it can.',
    other: 'Nothing here holds it back: {count} peers take data as fast as they can.',
  },
  tracker: 'Tracker {host}: {message}',
} as const;
