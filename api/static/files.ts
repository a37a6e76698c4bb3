// The files of the browser interface as they were built (dist/web), all in memory: some hundred KiB. The shell is public
// and the same for everybody; data comes by the API alone.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';

export type Coding = 'br' | 'gzip' | 'identity';

export interface InterfaceFile {
  readonly type: string;
  readonly etag: string;
  /** Whether the name tells the content: the file may be kept for ever. */
  readonly isHashed: boolean;
  readonly bodies: Readonly<Record<Coding, Buffer | null>>;
}

/** By path, from `/`. */
export type InterfaceFiles = ReadonlyMap<string, InterfaceFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Where the build puts what is named after its content. */
const HASHED = '/assets/';

const BUILT = fileURLToPath(new URL('../../web', import.meta.url));

/** None where the interface was not built. `basePath`: written into the page in front of what it refers to. */
export function readInterfaceFiles(basePath = '', folder = BUILT): InterfaceFiles {
  const files = new Map<string, InterfaceFile>();
  if (!existsSync(folder)) return files;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    const bytes = placed(readFileSync(path), type, basePath);
    const url = `/${name.split(sep).join('/')}`;
    files.set(url, {
      type,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      isHashed: url.startsWith(HASHED),
      bodies: isPlaced(type, basePath)
        ? { identity: bytes, br: brotliCompressSync(bytes), gzip: gzipSync(bytes) }
        : { identity: bytes, br: readIfThere(`${path}.br`), gzip: readIfThere(`${path}.gz`) },
    });
  }
  return files;
}

/** The page and its manifest: what else there is refers to its neighbours. */
function isPlaced(type: string, basePath: string): boolean {
  return basePath !== '' && (type === TYPES['.html'] || type === TYPES['.webmanifest']);
}

function placed(bytes: Buffer, type: string, basePath: string): Buffer {
  if (!isPlaced(type, basePath)) return bytes;
  return Buffer.from(
    bytes
      .toString('utf8')
      .replaceAll(/((?:href|src)=|"(?:action|id|scope|src|start_url|url)": ?)"\//g, `$1"${basePath}/`),
  );
}

function readIfThere(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}
