// Texts of backups: what is in one, how it is made and kept, how it is restored.
export const backups = {
  about:
    'A backup is one archive with your torrents and their progress, accounts, settings, categories, tags, feeds, rules, schedule and history. The downloaded files themselves are not in it.',
  secret:
    'Keep it private: it holds password hashes, secrets of webhooks and your passkeys for trackers. A copy on another machine still helps when the disk of this server fails.',
  engines:
    'With --engine or --engines, torrents are in the data directories of the engines instead; back those up too.',
  list: 'Backups',
  emptyTitle: 'No backups yet',
  emptyHow:
    'Make one before an update, a move to another machine or large changes, and download it to keep it elsewhere.',
  make: 'Back up now',
  making: 'Backing up…',
  running: 'A backup is being made. Swarmd keeps running.',
  made: 'Backup made: {time}, {size}.',
  failed: 'The last backup failed. {reason}',
  full: 'You have {max} backups made by hand, which is the maximum. Delete some first.',
  automatic: 'Automatic',
  download: 'Download',
  downloadOf: 'Download backup {name}',
  delete: 'Delete',
  deleteOf: 'Delete {name}',
  deleteTitle: 'Delete this backup?',
  deleteText: '{name} from {time} can no longer be restored, unless you have a copy.',
  deleteConfirm: 'Delete backup',
  folder: 'Folder on the server',
  schedule: 'Automatic backups',
  never: 'Off. Start Swarmd with --backup-every 24 to have one made every day.',
  every: { one: 'Every hour.', other: 'Every {count} hours.' },
  keep: {
    one: 'The newest one is kept; those made by hand stay.',
    other: 'The newest {count} are kept; those made by hand stay.',
  },
  restore: {
    title: 'Restore a backup',
    how: 'A backup is restored on the command line, into a data directory that is empty or does not exist yet. Then start Swarmd with that directory.',
    command: 'swarmd restore ARCHIVE --data-dir DIRECTORY',
    paths:
      'If the downloaded files are in another folder there, add --map OLD=NEW. Files that are missing are shown as such.',
  },
  why: {
    full: 'The disk with the folder for backups is full.',
    denied: 'Swarmd cannot write to the folder for backups ({code}).',
    noFolder: 'The folder for backups cannot be used: there is a file in its place.',
    ended: 'The process that writes it ended early ({how}).',
  },
};
