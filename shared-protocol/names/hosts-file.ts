// The names that the machine's owner has written down (hosts(5)), which the system's resolver knows and DNS does not. Read
// again when the file has changed.
import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

const SYSTEM_HOSTS_FILE =
  process.platform === 'win32'
    ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';
/** Larger ones are lists of what to block, read as far as this. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Between looks whether it has changed. */
const LOOK_AGAIN_MS = 5_000;

export class HostsFile {
  #names: ReadonlyMap<string, readonly LookupAddress[]> = new Map();
  #lookedAtMs = -Infinity;
  #mtimeMs = -1;

  /** `nowMs`: monotonic. */
  constructor(
    private readonly nowMs: () => number,
    private readonly path = SYSTEM_HOSTS_FILE,
  ) {}

  /** Addresses of a name in lower case; null when the file has none. */
  find(name: string): readonly LookupAddress[] | null {
    const nowMs = this.nowMs();
    if (nowMs - this.#lookedAtMs >= LOOK_AGAIN_MS) {
      this.#lookedAtMs = nowMs;
      this.#look();
    }
    return this.#names.get(name) ?? null;
  }

  #look(): void {
    try {
      const { mtimeMs } = statSync(this.path);
      if (mtimeMs === this.#mtimeMs) return;
      this.#mtimeMs = mtimeMs;
      this.#names = parseHosts(readFileSync(this.path).subarray(0, MAX_FILE_BYTES).toString('utf8'));
    } catch {
      // None, or none that we may read.
      this.#names = new Map();
    }
  }
}

/** An address and its names on each line, `#` begins a comment; IPv4 addresses come first. */
export function parseHosts(text: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address.replace(/%.*$/, ''));
    if (family === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      const known = names.get(name) ?? [];
      names.set(name, known);
      if (!known.some((one) => one.address === address)) known.push({ address, family });
    }
  }
  for (const known of names.values()) known.sort((a, b) => a.family - b.family);
  return names;
}
