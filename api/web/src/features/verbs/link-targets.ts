// What of a torrent can be linked to, and downloaded: all of it, a folder, a file. Pure.
import type { FileDto } from '../../../../../shared-protocol/dto/inspector.js';

export type LinkTarget =
  | { readonly kind: 'all' | 'folder'; /** Empty: all. */ readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly index: number };

type Named = Pick<FileDto, 'path' | 'index'>;

export function targetsOf(files: readonly Named[]): readonly LinkTarget[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    const parts = path.split('/').slice(0, -1);
    parts.forEach((_, depth) => folders.add(parts.slice(0, depth + 1).join('/')));
  }
  return [
    { kind: 'all', path: '' },
    ...[...folders].map((path) => ({ kind: 'folder', path }) as const),
    ...files.map(({ path, index }) => ({ kind: 'file', path, index }) as const),
  ];
}

/** `path`: what the server answered for the link; an index and a name come behind it. */
export function linkTo(origin: string, path: string, target: LinkTarget): string {
  if (target.kind === 'file') return `${origin}${path}${target.index}/${encodeURIComponent(nameOf(target.path))}`;
  const zip = path.replace(/files\/$/, 'zip');
  return origin + zip + (target.path === '' ? '' : `?folder=${encodeURIComponent(target.path)}`);
}

/** Where one who is signed in gets it. */
export function addressOf(torrentId: string, target: LinkTarget): string {
  const torrent = `/api/torrents/${torrentId}`;
  if (target.kind === 'file') return `${torrent}/files/${target.index}`;
  return `${torrent}/zip${target.path === '' ? '' : `?folder=${encodeURIComponent(target.path)}`}`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
