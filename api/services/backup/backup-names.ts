// Names of archives, which say when each was made and whether by itself. Pure.
export interface NamedBackup {
  readonly name: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly isAutomatic: boolean;
}

const NAME = /^swarmd-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(-auto)?\.tar\.gz$/;

export function backupName(unixS: number, isAutomatic: boolean): string {
  const moment = new Date(unixS * 1_000).toISOString().slice(0, 19).replaceAll(':', '-');
  return `swarmd-${moment}Z${isAutomatic ? '-auto' : ''}.tar.gz`;
}

/** null: it is none. */
export function parseBackupName(name: string): NamedBackup | null {
  const [, day, hours, minutes, seconds, auto] = NAME.exec(name) ?? [];
  const unixMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(unixMs) ? null : { name, createdAt: unixMs / 1_000, isAutomatic: auto !== undefined };
}

/**
 * Names of those made by themselves that have had their time: all but the newest ones. Those from the future were made before the
 * clock was set, and go before all others.
 */
export function outlived(backups: readonly NamedBackup[], keep: number, nowS: number): readonly string[] {
  const automatic = backups.filter(({ isAutomatic }) => isAutomatic);
  const isFuture = ({ createdAt }: NamedBackup) => createdAt > nowS;
  return automatic
    .sort((one, other) => Number(isFuture(one)) - Number(isFuture(other)) || other.createdAt - one.createdAt)
    .slice(keep)
    .map(({ name }) => name);
}

/** Seconds since the newest one that was made by itself; none that is from the future counts. */
export function ageOfNewest(backups: readonly NamedBackup[], nowS: number): number {
  const made = backups.filter(({ isAutomatic, createdAt }) => isAutomatic && createdAt <= nowS);
  return nowS - Math.max(0, ...made.map(({ createdAt }) => createdAt));
}
