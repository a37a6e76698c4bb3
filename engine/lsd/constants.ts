// Numbers of local service discovery (BEP 14), and our limits on it.
import { SECOND_MS } from '../environment.js';

/** BEP 14: the groups and the port that announcements go to. */
export const LSD_PORT = 6771;
export const LSD_GROUPS = { 4: '239.192.152.143', 6: 'ff15::efc0:988f' } as const;
/** BEP 14: "no more than 1400 bytes", so that a datagram fits a frame. */
export const LSD_MAX_BYTES = 1400;
/** Hashes of one datagram: as many headers of 52 bytes as fit beside the others. */
export const LSD_MAX_HASHES = 25;
/** Routers must not pass announcements on. */
export const LSD_TTL = 1;

/** Wait before the n-th announcement of a torrent, the last one forever: libtorrent's 0, 2 and 4 s, then each 300 s. */
export const LSD_WAITS_MS = [0, 2 * SECOND_MS, 2 * SECOND_MS, 300 * SECOND_MS] as const;
/** Between two rounds, each a datagram per family: what others' limiters of ten a second let through. */
export const LSD_PACE_MS = 200;
/** How soon to look again while the peer port is not open. */
export const LSD_NO_PORT_RETRY_MS = 2 * SECOND_MS;
/** Received datagrams looked at in a window, the rest of it is ignored; Transmission's ten a second. */
export const LSD_WINDOW_MS = 5 * SECOND_MS;
export const LSD_DATAGRAMS_PER_WINDOW = 50;

/** How old the list of interfaces may be where it decides something. */
export const INTERFACES_FRESH_MS = SECOND_MS;
