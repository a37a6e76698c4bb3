// What a file is called by its ending, for players and browsers; and whether a browser may show it here. Files of torrents
// come from strangers: whatever could run a script in this origin is handed out for saving only, and what has no well
// known ending is bytes. Browsers are told not to guess besides (`nosniff`).
const BYTES = 'application/octet-stream';

/** By ending, without the dot; registered names (IANA), and those that players agree on where there is none. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'video/mp4': 'mp4 m4v',
    'video/x-matroska': 'mkv mk3d',
    'video/webm': 'webm',
    'video/x-msvideo': 'avi',
    'video/quicktime': 'mov qt',
    'video/mpeg': 'mpg mpeg mpe m2v vob',
    'video/mp2t': 'ts m2ts mts',
    'video/x-ms-wmv': 'wmv',
    'video/x-flv': 'flv',
    'video/ogg': 'ogv',
    'video/3gpp': '3gp',
    'audio/mpeg': 'mp3 mp2',
    'audio/mp4': 'm4a m4b',
    'audio/aac': 'aac',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg oga opus spx',
    'audio/wav': 'wav',
    'audio/aiff': 'aif aiff',
    'audio/x-matroska': 'mka',
    'audio/x-ms-wma': 'wma',
    'audio/ac3': 'ac3',
    'audio/vnd.dts': 'dts',
    'audio/x-ape': 'ape',
    'image/jpeg': 'jpg jpeg jpe',
    'image/png': 'png',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/avif': 'avif',
    'image/bmp': 'bmp',
    'image/tiff': 'tif tiff',
    'image/svg+xml': 'svg svgz',
    'text/plain; charset=utf-8': 'txt text log nfo md diz sfv md5 sha1 sha256 cue',
    'text/vtt; charset=utf-8': 'vtt',
    'application/x-subrip': 'srt',
    'text/x-ssa': 'ass ssa',
    'application/pdf': 'pdf',
    'application/epub+zip': 'epub',
    'application/zip': 'zip cbz',
    'application/vnd.rar': 'rar cbr',
    'application/x-7z-compressed': '7z',
    'application/gzip': 'gz tgz',
    'application/x-tar': 'tar',
    'application/x-bittorrent': 'torrent',
    'application/vnd.apple.mpegurl': 'm3u8',
    'audio/x-mpegurl': 'm3u',
  }).flatMap(([type, endings]) => endings.split(' ').map((ending): [string, string] => [ending, type])),
);

/** The type of the file with this path or name. */
export function mediaTypeOf(path: string): string {
  const [, ending = ''] = /\.([^./]+)$/.exec(path) ?? [];
  return TYPES.get(ending.toLowerCase()) ?? BYTES;
}

/** Nothing of this kind runs a script where it is shown; an SVG image does. */
export function mayBeShown(mediaType: string): boolean {
  return /^(?:video\/|audio\/|image\/(?!svg)|text\/plain(?:;|$))/.test(mediaType);
}
