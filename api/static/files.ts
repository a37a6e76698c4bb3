// The files of the browser interface as they were built (dist/web), all in memory: some hundred KiB. The shell is public
// and the same for everybody; data comes by the API alone.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
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

/** None where the interface was not built. */
export function readInterfaceFiles(folder = BUILT): InterfaceFiles {
  const files = new Map<string, InterfaceFile>();
  if (!existsSync(folder)) return files;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    const bytes = readFileSync(path);
    const url = `/${name.split(sep).join('/')}`;
    files.set(url, {
      type,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      isHashed: url.startsWith(HASHED),
      bodies: { identity: bytes, br: readIfThere(`${path}.br`), gzip: readIfThere(`${path}.gz`) },
    });
  }
  return files;
}

function readIfThere(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}
