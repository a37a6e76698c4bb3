// Which UDP ports a process has bound, as the kernel tells (proc(5)): what is off must have no socket.
import { readdir, readFile, readlink } from 'node:fs/promises';

/** Column of /proc/net/udp that holds the local address and port in hex, and that of the socket's inode. */
const LOCAL_COLUMN = 1;
const INODE_COLUMN = 9;

/** In ascending order, one for each socket. */
export async function udpPortsOf(pid: number): Promise<number[]> {
  const inodes = await socketInodes(pid);
  const tables = await Promise.all(['udp', 'udp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')));
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1));
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((columns) => inodes.has(columns[INODE_COLUMN] ?? ''))
    .map((columns) => parseInt(columns[LOCAL_COLUMN]?.split(':')[1] ?? '', 16))
    .sort((a, b) => a - b);
}

async function socketInodes(pid: number): Promise<ReadonlySet<string>> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    // A descriptor may be closed while we look.
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  );
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}
