// The release manifest: what it may say, which of its releases a channel means, and which file of a release is for this
// machine. Pure. What it does not say is not believed: every asset has its size and SHA-256, and comes over HTTPS.
import { z } from 'zod';
import type { UpdaterDto } from '../../../shared-protocol/dto/settings.js';
import { isNewer, isVersion } from './semver.js';

const HEX_SHA256 = /^[0-9a-f]{64}$/i;
/** One element of a path that no shell, file system or header takes for anything else. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._+~-]{0,199}$/;
const MAX_ASSETS = 100;

const assetSchema = z.object({
  filename: z.string().regex(FILE_NAME, 'expected a file name'),
  url: z.string().max(2048).refine(isHttps, 'expected an https URL'),
  sha256: z.string().regex(HEX_SHA256, 'expected 64 hexadecimal digits').toLowerCase(),
  /** Bytes. */
  size: z.int().min(1),
});
export type Asset = Readonly<z.infer<typeof assetSchema>>;

const releaseSchema = z.object({
  version: z.string().refine(isVersion, 'expected a version'),
  assets: z.array(assetSchema).max(MAX_ASSETS),
});
export type Release = Readonly<z.infer<typeof releaseSchema>>;

/** A manifest; what else it says is left to later versions. */
export const manifestSchema = z.object({
  channels: z.object({ stable: releaseSchema.optional(), beta: releaseSchema.optional() }),
});
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

export interface Machine {
  /** Named as `process.platform` and `process.arch` have them. */
  readonly platform: string;
  readonly arch: string;
}

/** The newest release of the channel; beta gets those of stable as well. */
export function latestOf({ channels: { stable, beta } }: Manifest, channel: UpdaterDto['channel']): Release | null {
  if (channel === 'stable' || !beta) return stable ?? null;
  return stable && isNewer(stable.version, beta.version) ? stable : beta;
}

/** Undefined: the release has none for this machine. */
export function assetFor(release: Release, source: UpdaterDto['install_source'], machine: Machine): Asset | undefined {
  const wanted = assetName(release.version, source, machine);
  return release.assets.find(({ filename }) => filename === wanted);
}

/** Each kind under the name that it usually has, with the architecture as that world calls it. */
export function assetName(version: string, source: UpdaterDto['install_source'], { platform, arch }: Machine): string {
  switch (source) {
    case 'apt':
      return `swarmd_${version}_${arch === 'x64' ? 'amd64' : arch}.deb`;
    case 'appimage':
      return `swarmd-${version}-${arch === 'x64' ? 'x86_64' : arch === 'arm64' ? 'aarch64' : arch}.AppImage`;
    case 'manual':
      return `swarmd-${version}-${platform}-${arch}.tar.gz`;
  }
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:';
}
