// Two extensions of a few bytes each (BEP 10 messages): `lt_donthave` takes back a have (BEP 54), `upload_only` says
// that a peer does not download, or does again (BEP 21).
import type { WireExtension, WireExtensionConstructor } from 'bittorrent-protocol';
import type Wire from 'bittorrent-protocol';

export interface SmallExtensionListener {
  onDontHave(piece: number): void;
  onUploadOnly(uploadOnly: boolean): void;
  onInvalid(reason: string): void;
}

/** BEP 54: a piece index. */
const DONT_HAVE_BYTES = 4;
/** A wire's list of pieces that stays empty. */
const NO_PIECES = { get: () => false, set: () => undefined };
/** BEP 21: 0 or 1. */
const UPLOAD_ONLY_BYTES = 1;

export function createDontHaveExtension(listener: SmallExtensionListener): WireExtensionConstructor {
  return extension('lt_donthave', (payload, wire) => {
    if (payload.length !== DONT_HAVE_BYTES) return listener.onInvalid('lt_donthave of a wrong length');
    // The wire passes on no have of a piece that it takes to be there, and there is no other way to its memory.
    Reflect.set(wire, 'peerPieces', NO_PIECES);
    listener.onDontHave(new DataView(payload.buffer, payload.byteOffset).getUint32(0));
  });
}

export function createUploadOnlyExtension(listener: SmallExtensionListener): WireExtensionConstructor {
  return extension('upload_only', (payload) => {
    if (payload.length !== UPLOAD_ONLY_BYTES) return listener.onInvalid('upload_only of a wrong length');
    listener.onUploadOnly(payload[0] !== 0);
  });
}

export function uploadOnlyMessage(uploadOnly: boolean): Uint8Array {
  return Uint8Array.of(uploadOnly ? 1 : 0);
}

function extension(name: string, onMessage: (payload: Uint8Array, wire: Wire) => void): WireExtensionConstructor {
  class SmallExtension implements WireExtension {
    declare readonly name: string;

    /** The wire makes one for each connection. */
    constructor(private readonly wire: Wire) {}

    onMessage(payload: Uint8Array): void {
      onMessage(payload, this.wire);
    }
  }
  Object.defineProperty(SmallExtension.prototype, 'name', { value: name });
  return SmallExtension;
}
