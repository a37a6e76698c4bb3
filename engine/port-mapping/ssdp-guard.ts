// Which answers to our search for a gateway nat-api gets to see (UPnP Device Architecture 1.1, 1.3.3). The package takes
// the first datagram with an `st` header, from any machine and pointing anywhere; one wrong answer ends its search.
import { SSDP_MAX_BYTES } from './constants.js';

/** The target that the package searches for. */
const GATEWAY_TARGET = 'urn:schemas-upnp-org:device:InternetGatewayDevice:1';

export type SsdpVerdict = 'gateway' | 'not-ours' | 'other-machine';

/**
 * `sender` is the address the datagram came from. A gateway describes itself, so its description must be on the
 * machine that answers.
 */
export function judgeSsdpAnswer(answer: string, sender: string): SsdpVerdict {
  if (answer.length > SSDP_MAX_BYTES || !/^HTTP\/1\.[01] 200/.test(answer)) return 'not-ours';
  if (headerOf(answer, 'st') !== GATEWAY_TARGET) return 'not-ours';
  const location = headerOf(answer, 'location');
  if (location === null || !URL.canParse(location)) return 'not-ours';
  const { protocol, hostname } = new URL(location);
  return protocol === 'http:' && hostname === sender ? 'gateway' : 'other-machine';
}

/** Null unless it is there exactly once: the package would take the last one. */
function headerOf(answer: string, name: string): string | null {
  const values = answer
    .split('\r\n')
    .filter((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase() === name)
    .map((line) => line.slice(line.indexOf(':') + 1).trim());
  const [value] = values;
  return values.length === 1 && value !== undefined ? value : null;
}
