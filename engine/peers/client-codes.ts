// Azureus-style peer ids (BEP 20): "-", two characters for the client, four for its version, "-". Which client a code
// stands for, and how that client writes its version; the styles are read in client-version.ts.

/**
 * - `digits`: one base-62 digit each, the fourth only if it is not 0: "4630" is 4.6.3
 * - `four`: all four: "5760" is 5.7.6.0
 * - `three`: the fourth is a build or release letter
 * - `two`: major and minor
 * - `one`: major
 * - `pairs`: two decimal numbers: "0208" is 2.8
 * - `decimal`: the same, the second after a point: "0205" is 2.05
 * - `middlePair`: "0250" is 0.25.0
 * - `transmission`, `utorrent`, `bitlord`, `ktorrent`: of their own
 * - `none`: what it writes is not its version
 */
export type VersionStyle =
  | 'digits'
  | 'four'
  | 'three'
  | 'two'
  | 'one'
  | 'pairs'
  | 'decimal'
  | 'middlePair'
  | 'transmission'
  | 'utorrent'
  | 'bitlord'
  | 'ktorrent'
  | 'none';

export interface Client {
  readonly name: string;
  readonly style: VersionStyle;
}

/** By style, each "code name". */
const CODES: Readonly<Record<VersionStyle, readonly string[]>> = {
  digits: [
    'SW Swarmd',
    'qB qBittorrent',
    'LT libtorrent',
    'lt libTorrent (rTorrent)',
    'rQ rqbit',
    'GT anacrolix torrent',
    'GP Gopeed',
    'TL Tribler',
    'Lr LibreTorrent',
    'FC FileCroc',
    'KG KGet',
    'LC LeechCraft',
    'BF Bitflu',
    'AD Advanced Download Manager',
    'bk BitKitten',
  ],
  four: [
    'AZ Vuze',
    'BI BiglyBT',
    'XL Xunlei',
    'SD Thunder',
    'MO MonoTorrent',
    'SZ Shareaza',
    'S~ Shareaza',
    'AG Ares',
    'AR Arctic',
    'AT Artemis',
    'AV Avicora',
    'BE BitTorrent SDK',
    'BG BTG',
    'BH BitZilla',
    'BM BitMagnet',
    'BP BitTorrent Pro',
    'BS BTSlave',
    'BX BittorrentX',
    'CB Cheetah',
    'DP Propagate Data Client',
    'EB EBit',
    'FT FoxTorrent',
    'FX Freebox',
    'GR GetRight',
    'GS GSTorrent',
    'HK Hekate',
    'HN Hydranode',
    'IL iLivid',
    'LH LH-ABC',
    'MK Meerkat',
    'MR Miro',
    'MT Moonlight',
    'NE BT Next Evolution',
    'NX Net Transport',
    'OS OneSwarm',
    'OT OmegaTorrent',
    'PD Pando',
    'PT PHPTracker',
    'pX pHoeniX',
    'QD QQDownload',
    'QT Qt Torrent example',
    'RS Rufus',
    'RT Retriever',
    'RZ RezTorrent',
    'SB Swiftbit',
    'SM SoMud',
    'SS SwarmScope',
    'ST SymTorrent',
    'st sharktorrent',
    'TN Torrent .NET',
    'TS Torrentstorm',
    'TT TuoTu',
    'UL uLeecher!',
    'VG Vagaa',
    'WT BitLet',
    'WY FireTorrent',
    'XS XSwifter',
    'XT XanTorrent',
    'ZO Zona',
    'ZT Zip Torrent',
  ],
  three: [
    'DE Deluge',
    'FD Free Download Manager',
    'FW FrostWire',
    'A~ Ares',
    'ES Electric Sheep',
    'HL Halite',
    'MP MooPolice',
    'SP BitSpirit',
    'pb pbTorrent',
    'XF Xfplay',
  ],
  two: ['MG MediaGet', 'CT CTorrent', 'BR BitRocket', 'XX Xtorrent', 'XC Xtorrent'],
  one: ['FL Folx'],
  pairs: ['WW WebTorrent', 'WD WebTorrent Desktop'],
  decimal: ['BC BitComet', 'FG FlashGet', 'AX BitPump', 'CD Enhanced CTorrent', 'LP Lphant'],
  middlePair: ['PI PicoTorrent'],
  transmission: ['TR Transmission'],
  utorrent: [
    'UT µTorrent',
    'UM µTorrent Mac',
    'UE µTorrent Embedded',
    'UW µTorrent Web',
    'BT BitTorrent',
    'BW BitTorrent Web',
  ],
  bitlord: ['BL BitLord'],
  ktorrent: ['KT KTorrent'],
  none: ['BN Baidu Netdisk', 'TB Torch Browser', 'LW LimeWire', 'WS HTTP seed', 'G3 G3 Torrent'],
};

export const CLIENT_CODES: ReadonlyMap<string, Client> = new Map(
  Object.entries(CODES).flatMap(([style, clients]) =>
    clients.map((client) => [client.slice(0, 2), { name: client.slice(3), style: style as VersionStyle }] as const),
  ),
);
