// Which interfaces of other programs are answered: as it is stored, unless the command line has decided for this run.
import {
  COMPATIBLE_INTERFACES,
  type CompatibleBody,
  type CompatibleDto,
  type CompatibleInterface,
} from '../../../shared-protocol/dto/compatible.js';
import type { Settings } from './settings.js';

export interface CompatibleInterfacesDeps {
  readonly settings: Pick<Settings, 'stored' | 'edit'>;
  /** The interfaces that are on in this run, from the command line; null: as it is stored. */
  readonly pinned: readonly CompatibleInterface[] | null;
}

export class CompatibleInterfaces {
  constructor(private readonly deps: CompatibleInterfacesDeps) {}

  isOn(name: CompatibleInterface): boolean {
    const { settings, pinned } = this.deps;
    return pinned ? pinned.includes(name) : settings.stored('compatible')[name];
  }

  get shown(): CompatibleDto {
    return {
      qbittorrent: this.isOn('qbittorrent'),
      transmission: this.isOn('transmission'),
      pinned: this.deps.pinned ? [...COMPATIBLE_INTERFACES] : [],
    };
  }

  /** In force when it resolves, unless the command line has decided. @throws AppError `STORAGE_FAILED` */
  set(changed: CompatibleBody): Promise<void> {
    return this.deps.settings.edit('compatible', ({ qbittorrent, transmission }) => ({
      qbittorrent: changed.qbittorrent ?? qbittorrent,
      transmission: changed.transmission ?? transmission,
    }));
  }
}
