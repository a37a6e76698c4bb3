// Where an engine of its own process is, and by what the front shows who it is: the options --engine… of the command line.
export type StreamAddress =
  | { readonly kind: 'unix'; readonly path: string }
  /** A port of this machine. */
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'tls'; readonly host: string; readonly port: number };

export interface EngineAt {
  readonly address: StreamAddress;
  readonly tokenFile: string | null;
  /** Trusted in place of the system's authorities. */
  readonly authorityFile: string | null;
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | null;
}

export function nameOfAddress(address: StreamAddress): string {
  if (address.kind === 'unix') return `unix:${address.path}`;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${address.kind === 'tls' ? 'wss' : 'tcp'}://${host}:${address.port}`;
}
