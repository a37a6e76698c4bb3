// Node takes every request with an Upgrade header out of HTTP as soon as something listens for upgrades; but clients
// also offer `h2c` (Java's by default), which RFC 9110 lets a server ignore. Such requests stay ordinary ones.
import { IncomingMessage } from 'node:http';

export class UpgradeAwareRequest extends IncomingMessage {
  /** The parser's finding; Node writes it through the accessor below, from the constructor on. */
  declare private found: boolean | null;

  get upgrade(): boolean {
    if (!this.found) return false;
    return this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  set upgrade(found: boolean | null) {
    this.found = found;
  }
}
