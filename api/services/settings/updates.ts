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
import type { Settings } from './settings.js';

export type InstallSource = UpdaterDto['install_source'];

/** What finds and installs updates. */
export interface Updater {
  /** @throws RequestError `UPDATE_FAILED` with what a client may know */
  check(channel: UpdaterDto['channel']): Promise<UpdateInfoDto>;
  /** What was found last. @throws RequestError `UPDATE_FAILED` */
  install(): Promise<void>;
}

export interface UpdatesDeps {
  readonly settings: Pick<Settings, 'stored' | 'edit'>;
  /** Null: none is attached. */
  readonly updater: Updater | null;
  /** As found at the start. */
  readonly installSource: InstallSource;
}

export class Updates {
  constructor(private readonly deps: UpdatesDeps) {}

  get stored(): UpdaterDto {
    return { ...this.deps.settings.stored('updater'), install_source: this.deps.installSource };
  }

  /** @throws RequestError `CHANNEL_INVALID` */
  async set({ enabled, channel }: z.infer<typeof updaterBodySchema>): Promise<void> {
    const known = channelSchema.safeParse(channel);
    if (!known.success) throw new RequestError('CHANNEL_INVALID');
    await this.deps.settings.edit('updater', (stored) => ({ ...stored, enabled, channel: known.data }));
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

  /** @throws RequestError `MANAGED_BY_APT`, `UPDATER_DISABLED`, `UPDATE_FAILED` */
  async install(): Promise<void> {
    if (this.deps.installSource === 'apt') throw new RequestError('MANAGED_BY_APT');
    await this.#updater.install();
  }

  get #updater(): Updater {
    if (!this.deps.updater) throw new RequestError('UPDATER_DISABLED');
    return this.deps.updater;
  }
}
