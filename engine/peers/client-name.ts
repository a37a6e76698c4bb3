// A peer's client as people know it, from the peer id (BEP 20) or what the extended handshake says (BEP 10).

/** Azureus-style codes of clients that are met today. */
const CLIENTS: Readonly<Record<string, string>> = {
  AZ: 'Vuze',
  BC: 'BitComet',
  BI: 'BiglyBT',
  DE: 'Deluge',
  FD: 'Free Download Manager',
  KT: 'KTorrent',
  LT: 'libtorrent',
  lt: 'rTorrent',
  qB: 'qBittorrent',
  SW: 'Swarmd',
  TR: 'Transmission',
  UM: 'µTorrent Mac',
  UT: 'µTorrent',
  WW: 'WebTorrent',
  XL: 'Xunlei',
  rQ: 'rqbit',
};
/** Longest name shown; remote text is not trusted to be short. */
const MAX_NAME_LENGTH = 64;

/** `peerId` in hex. An extended handshake's `v` is preferred: it is more precise. */
export function clientName(peerId: string, announced: unknown): string {
  if (announced instanceof Uint8Array && announced.length > 0) {
    const text = Buffer.from(announced)
      .toString('utf8')
      .replace(/[\p{C}]/gu, '')
      .trim();
    if (text) return text.slice(0, MAX_NAME_LENGTH);
  }
  const ascii = Buffer.from(peerId, 'hex').toString('latin1');
  const azureus = /^-([A-Za-z]{2})([0-9A-Za-z]{4})-/.exec(ascii);
  if (azureus) {
    const version = [...azureus[2]!]
      .map((digit) => Number.parseInt(digit, 36))
      .join('.')
      .replace(/(\.0)+$/, '');
    return `${CLIENTS[azureus[1]!] ?? azureus[1]} ${version}`;
  }
  if (/^A2-/.test(ascii)) return `aria2 ${ascii.slice(3, 9).replace(/-+$/, '').replaceAll('-', '.')}`;
  return 'unknown';
}
