// Updates of the service itself: what is stored about them, and the way to whatever looks for and installs them. Nothing
// does unless an updater is attached.
import type { z } from 'zod';
import {
  channelSchema,
  type UpdateInfoDto,
  type UpdaterDto,
  type updaterBodySchema,
} from '../../../shared-protocol/dto/settings.js';
import { RequestError } from '../../errors.js';
import type { Settings } from '../settings/settings.js';
import { isNewer } from './semver.js';

export type InstallSource = UpdaterDto['install_source'];

/** The part that finds and installs updates. */
export interface Updater {
  /** Only what is signed is believed. @default false */
  readonly isSigned?: boolean;
  /** @throws RequestError `UPDATE_FAILED` with what a client may know */
  check(channel: UpdaterDto['channel']): Promise<UpdateInfoDto>;
  /** The newest there is; it runs from the next start on. @throws RequestError `UPDATE_FAILED` */
  install(channel: UpdaterDto['channel']): Promise<void>;
  /** Gives up what is under way, for good. */
  stop?(): void;
}

export interface UpdatesDeps {
  readonly settings: Pick<Settings, 'stored' | 'edit'>;
  /** Null: none is attached. */
  readonly updater: Updater | null;
  /** The source as found at the start. */
  readonly installSource: InstallSource;
}

export class Updates {
  #listener: () => void = () => undefined;

  constructor(private readonly deps: UpdatesDeps) {}

  get stored(): UpdaterDto {
    const { enabled, channel, last_checked_at, last_seen_version } = this.deps.settings.stored('updater');
    const { installSource: install_source, updater } = this.deps;
    const signed = updater?.isSigned ?? false;
    return {
      enabled,
      channel,
      last_checked_at,
      last_seen_version,
      install_source,
      signed,
      has_source: updater !== null,
    };
  }

  /** Whether to look unasked now (docs/api.md: never where apt does it). */
  get isAutomatic(): boolean {
    return this.deps.updater !== null && this.deps.installSource !== 'apt' && this.stored.enabled;
  }

  /** Told when the switch or the channel is another. There is one listener. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** @throws RequestError `CHANNEL_INVALID` */
  async set({ enabled, channel }: z.infer<typeof updaterBodySchema>): Promise<void> {
    const known = channelSchema.safeParse(channel);
    if (!known.success) throw new RequestError('CHANNEL_INVALID');
    let isChange = false;
    await this.deps.settings.edit('updater', (stored) => {
      const isOtherChannel = stored.channel !== known.data;
      isChange = isOtherChannel || stored.enabled !== enabled;
      // What is newest on one channel says nothing of the other.
      const announced = isOtherChannel ? '' : stored.last_announced_version;
      return { ...stored, enabled, channel: known.data, last_announced_version: announced };
    });
    if (isChange) this.#listener();
  }

  /** Also while `enabled` is false: that is about looking unasked. @throws RequestError `UPDATER_DISABLED`, `UPDATE_FAILED` */
  async check(): Promise<UpdateInfoDto> {
    const info = await this.#updater.check(this.stored.channel);
    await this.deps.settings.edit('updater', (stored) => ({
      ...stored,
      last_checked_at: info.checked_at,
      last_seen_version: info.latest_version,
    }));
    return info;
  }

  /** Whether it is a find that no client was told of yet, in this run or before. */
  isNews({ available, latest_version }: UpdateInfoDto): boolean {
    const announced = this.deps.settings.stored('updater').last_announced_version;
    return available && (announced === '' || isNewer(latest_version, announced));
  }

  /** @throws AppError `STORAGE_FAILED` */
  noteAnnounced({ latest_version }: UpdateInfoDto): Promise<void> {
    return this.deps.settings.edit('updater', (stored) => ({ ...stored, last_announced_version: latest_version }));
  }

  /** @throws RequestError `MANAGED_BY_APT`, `UPDATER_DISABLED`, `UPDATE_FAILED` */
  async install(): Promise<void> {
    if (this.deps.installSource === 'apt') throw new RequestError('MANAGED_BY_APT');
    await this.#updater.install(this.stored.channel);
  }

  stop(): void {
    this.deps.updater?.stop?.();
  }

  get #updater(): Updater {
    if (!this.deps.updater) throw new RequestError('UPDATER_DISABLED');
    return this.deps.updater;
  }
}
