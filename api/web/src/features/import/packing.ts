// How the state of each program is packed where it runs, by its user (docs/operate/import.md).
import type { ImportSource } from '../../../../../shared-protocol/dto/imports.js';

/** Commands of a shell. `h`: what links lead to is packed, as links themselves are refused. */
export const PACKING: Readonly<Record<ImportSource, string>> = {
  qbittorrent: 'tar -czhf qbittorrent.tar.gz -C ~ .local/share/qBittorrent .config/qBittorrent',
  transmission: 'tar -czhf transmission.tar.gz -C ~/.config transmission-daemon',
  deluge: 'tar -czhf deluge.tar.gz -C ~/.config deluge',
  rtorrent: 'tar -czhf rtorrent.tar.gz -C ~ .session .rtorrent.rc',
};
