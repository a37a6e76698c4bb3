// Two extensions of a few bytes each (BEP 10 messages): `lt_donthave` takes back a have (BEP 54), `upload_only` says
// that a peer does not download, or does again (BEP 21).
import { ConnectionExtension, type WireExtension } from './peer-wire.js';

export interface SmallExtensionListener {
  onDontHave(piece: number): void;
  onUploadOnly(uploadOnly: boolean): void;
  onInvalid(reason: string): void;
}

/** BEP 54: a piece index. */
const DONT_HAVE_BYTES = 4;
/** BEP 21: 0 or 1. */
const UPLOAD_ONLY_BYTES = 1;

export function createDontHaveExtension(listener: SmallExtensionListener): WireExtension {
  return { name: 'lt_donthave', attach: () => new DontHave(listener) };
}

export function createUploadOnlyExtension(listener: SmallExtensionListener): WireExtension {
  return { name: 'upload_only', attach: () => new UploadOnly(listener) };
}

export function uploadOnlyMessage(uploadOnly: boolean): Uint8Array {
  return Uint8Array.of(uploadOnly ? 1 : 0);
}

class DontHave extends ConnectionExtension {
  constructor(private readonly listener: SmallExtensionListener) {
    super();
  }

  override onMessage(payload: Uint8Array): void {
    if (payload.length !== DONT_HAVE_BYTES) return this.listener.onInvalid('lt_donthave of a wrong length');
    this.listener.onDontHave(new DataView(payload.buffer, payload.byteOffset).getUint32(0));
  }
}

class UploadOnly extends ConnectionExtension {
  constructor(private readonly listener: SmallExtensionListener) {
    super();
  }

  override onMessage(payload: Uint8Array): void {
    if (payload.length !== UPLOAD_ONLY_BYTES) return this.listener.onInvalid('upload_only of a wrong length');
    this.listener.onUploadOnly(payload[0] !== 0);
  }
}
