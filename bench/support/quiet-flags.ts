// Flags by which a daemon under measure meets nobody that it was not told of, and says nothing that is not amiss.

export const QUIET_FLAGS: readonly string[] = [
  ...['--dht', 'off', '--lsd', 'off', '--upnp', 'off'],
  ...['--log-level', 'warn'],
];
