// Speeds as qBittorrent's WebAPI has them, bytes per second, and as Swarmd does, KiB per second. A limit is rounded up: down
// to 0 it would be none. 0 stands for none on both sides, and so does what is below it in qBittorrent.

const KIB = 1024;

export function toKbps(bytesPerSec: number): number {
  return Math.ceil(Math.max(0, bytesPerSec) / KIB);
}

export function toBytesPerSec(kbps: number): number {
  return kbps * KIB;
}
