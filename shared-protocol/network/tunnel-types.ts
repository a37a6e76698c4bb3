// The conversation with a proxy until it has connected us, without input and output: bytes go in, what is to be done
// comes out.

/** The target behind the proxy: an address, or a name that the proxy resolves. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

export type TunnelStep =
  | { readonly kind: 'more'; /** To be sent, if any. */ readonly send: Uint8Array | null }
  /** Connected: what comes from here on is the target's, beginning with `rest`. */
  | {
      readonly kind: 'open';
      readonly rest: Uint8Array;
      /** Where the proxy says it is. */ readonly bound?: TunnelTarget;
    }
  | { readonly kind: 'failed'; readonly reason: string };

export interface TunnelHandshake {
  /** Sent first. */
  begin(): Uint8Array;
  /**
   * The bytes are only looked at during the call; `rest` lies in them. Not to be called again after `open` or
   * `failed`.
   */
  push(bytes: Uint8Array): TunnelStep;
}
