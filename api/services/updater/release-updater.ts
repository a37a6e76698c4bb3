// The updater: asks a manifest at one HTTPS address what there is, and installs it. Always asks anew, so that what is
// installed is what the manifest says now. Fetches go through the egress like any other.
import type { UpdateInfoDto, UpdaterDto } from '../../../shared-protocol/dto/settings.js';
import type { Egress } from '../../egress/egress.js';
import type { Log } from '../../logging.js';
import { asUpdateFailure, updateFailed } from './failure.js';
import { installRelease } from './install-release.js';
import { locateInstallation } from './installation.js';
import { assetFor, latestOf, manifestSchema, type Machine, type Manifest, type Release } from './manifest.js';
import { isNewer } from './semver.js';
import { checkSignature, MAX_SIGNATURE_BYTES, signatureUrl } from './signature.js';
import type { InstallSource, Updater } from './updates.js';

const MAX_MANIFEST_BYTES = 1024 * 1024;
const MANIFEST = 'release manifest';

export interface ReleaseUpdaterDeps {
  readonly egress: Pick<Egress, 'fetch' | 'read'>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly log: Pick<Log, 'info'>;
}

export interface ReleaseUpdaterOptions {
  /** The manifest's URL; https. */
  readonly url: string;
  /** The key of the signer of manifests (signature.ts); empty: they are not signed. */
  readonly publicKey: string;
  readonly currentVersion: string;
  readonly installSource: InstallSource;
  /** The folder of this program's package.json. */
  readonly programRoot: string;
  readonly machine: Machine;
}

export class ReleaseUpdater implements Updater {
  readonly #ended = new AbortController();
  #isInstalling = false;

  constructor(
    private readonly deps: ReleaseUpdaterDeps,
    private readonly options: ReleaseUpdaterOptions,
  ) {}

  get isSigned(): boolean {
    return this.options.publicKey !== '';
  }

  async check(channel: UpdaterDto['channel']): Promise<UpdateInfoDto> {
    const { currentVersion, installSource, machine } = this.options;
    const release = latestOf(await this.#manifest(), channel);
    const asset = release && assetFor(release, installSource, machine);
    return {
      available: release !== null && isNewer(release.version, currentVersion),
      latest_version: release?.version ?? currentVersion,
      asset_url: asset?.url ?? '',
      asset_filename: asset?.filename ?? '',
      checked_at: this.deps.now(),
      current_version: currentVersion,
    };
  }

  async install(channel: UpdaterDto['channel']): Promise<void> {
    if (this.#isInstalling) throw updateFailed('an update is being installed already');
    this.#isInstalling = true;
    try {
      await this.#install(channel);
    } finally {
      this.#isInstalling = false;
    }
  }

  /** Ends what is under way, for good. */
  stop(): void {
    this.#ended.abort();
  }

  async #install(channel: UpdaterDto['channel']): Promise<void> {
    const { egress, log } = this.deps;
    const { currentVersion, installSource, machine, programRoot } = this.options;
    if (installSource !== 'manual') throw updateFailed('this is an AppImage: replace its file by hand');
    const installation = await locateInstallation(programRoot);
    const release = newerThan(currentVersion, latestOf(await this.#manifest(), channel));
    const asset = assetFor(release, installSource, machine);
    if (!asset) throw updateFailed(`version ${release.version} has no file for ${machine.platform} ${machine.arch}`);
    await installRelease(egress, installation, { version: release.version, asset }, this.#ended.signal);
    log.info('update installed, it runs from the next start on', { version: release.version, before: currentVersion });
  }

  async #manifest(): Promise<Manifest> {
    const { url, publicKey } = this.options;
    const manifest = await this.#fetch(MANIFEST, url, MAX_MANIFEST_BYTES);
    if (publicKey !== '') {
      const signature = await this.#fetch(`signature of the ${MANIFEST}`, signatureUrl(url), MAX_SIGNATURE_BYTES);
      checkSignature(manifest, signature, publicKey);
    }
    return parseManifest(manifest);
  }

  async #fetch(what: string, url: string, maxBytes: number): Promise<Uint8Array> {
    try {
      const fetched = await this.deps.egress.fetch(url, { caller: null, maxBytes, signal: this.#ended.signal });
      if (fetched.kind === 'magnet') throw updateFailed(`${what}: redirect to a magnet`);
      return fetched.bytes;
    } catch (thrown) {
      throw asUpdateFailure(what, thrown);
    }
  }
}

function newerThan(currentVersion: string, release: Release | null): Release {
  if (release && isNewer(release.version, currentVersion)) return release;
  throw updateFailed('there is no newer version');
}

function parseManifest(bytes: Uint8Array): Manifest {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw updateFailed(`${MANIFEST}: not JSON`);
  }
  const parsed = manifestSchema.safeParse(read);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw updateFailed(`${MANIFEST}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}
