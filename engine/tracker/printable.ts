// Text of strangers for people to read.
import { shortened } from '../../shared-protocol/shortened.js';
import { REPLY_MAX_TEXT } from './constants.js';

/** Without control and format characters (they could forge log lines or turn text around), and short. */
export function printable(text: string): string {
  const clean = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return shortened(clean, REPLY_MAX_TEXT);
}

const UTF8 = new TextDecoder('utf-8');

export function printableBytes(bytes: Uint8Array): string {
  return printable(UTF8.decode(bytes.subarray(0, 4 * REPLY_MAX_TEXT)));
}
