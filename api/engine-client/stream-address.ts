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

/** Files by which an engine is reached, as an operator names them; those that are absent are null. */
export interface GivenFiles extends Pick<EngineAt, 'tokenFile' | 'authorityFile'> {
  readonly certFile: string | null;
  readonly keyFile: string | null;
}

/** Names of the options or fields that say them, for messages. */
export type FileNames = Readonly<Record<'authority' | 'cert' | 'key', string>>;

/** Returns how an engine is reached; else what does not go together, in words. */
export function engineAt(address: StreamAddress, given: GivenFiles, names: FileNames): EngineAt | string {
  const { tokenFile, authorityFile, certFile, keyFile } = given;
  if ((certFile === null) !== (keyFile === null)) return `${names.cert} and ${names.key} go together`;
  const certificate = certFile !== null && keyFile !== null ? { certFile, keyFile } : null;
  if (address.kind !== 'tls' && (authorityFile ?? certificate)) {
    return `${names.authority} and ${names.cert} go with wss://`;
  }
  return { address, tokenFile, authorityFile, certificate };
}

export function nameOfAddress(address: StreamAddress): string {
  if (address.kind === 'unix') return `unix:${address.path}`;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `${address.kind === 'tls' ? 'wss' : 'tcp'}://${host}:${address.port}`;
}
