// A peer's socket through a proxy: connected once the proxy has connected to the peer, and from then on the same as
// any.
import type { TunnelHandshake } from '../../shared-protocol/network/tunnel-types.js';
import type { PeerAddress, PeerSocket, PeerSocketHandler } from '../environment.js';

export class TunnelledSocket implements PeerSocket {
  #handler: PeerSocketHandler | null = null;
  /** null: the proxy has connected us. */
  #handshake: TunnelHandshake | null;
  #reason = '';
  /** Written before that. */
  #held: { readonly bytes: Uint8Array; readonly done: (() => void) | undefined }[] = [];

  /** `proxy` is a socket that connects to the proxy, and has no handler yet. */
  constructor(
    private readonly proxy: PeerSocket,
    readonly remote: PeerAddress,
    handshake: TunnelHandshake,
  ) {
    this.#handshake = handshake;
    proxy.setHandler({
      onConnect: () => proxy.write(handshake.begin()),
      onData: (bytes) => (this.#handshake ? this.#greet(this.#handshake, bytes) : this.#handler?.onData(bytes)),
      onDrain: () => this.#handler?.onDrain(),
      onClose: (reason) => this.#close(this.#reason || reason),
    });
  }

  get local(): PeerAddress {
    return this.proxy.local;
  }

  get bufferedBytes(): number {
    return this.proxy.bufferedBytes + this.#held.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  setHandler(handler: PeerSocketHandler): void {
    this.#handler = handler;
  }

  write(bytes: Uint8Array, done?: () => void): void {
    if (this.#handshake) this.#held.push({ bytes, done });
    else this.proxy.write(bytes, done);
  }

  pauseReading(): void {
    this.proxy.pauseReading();
  }

  resumeReading(): void {
    this.proxy.resumeReading();
  }

  destroy(): void {
    this.proxy.destroy();
  }

  #greet(handshake: TunnelHandshake, bytes: Uint8Array): void {
    const step = handshake.push(bytes);
    switch (step.kind) {
      case 'more':
        if (step.send) this.proxy.write(step.send);
        return;
      case 'failed':
        this.#reason = step.reason;
        return this.proxy.destroy();
      case 'open':
        this.#handshake = null;
        for (const { bytes: waiting, done } of this.#held.splice(0)) this.proxy.write(waiting, done);
        this.#handler?.onConnect();
        if (step.rest.length > 0) this.#handler?.onData(step.rest);
    }
  }

  #close(reason: string): void {
    for (const { done } of this.#held.splice(0)) done?.();
    this.#handler?.onClose(reason);
  }
}
