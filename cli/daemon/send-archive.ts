// An archive of another program's state on its way to the daemon, in parts, so that reverse proxies let it through. Of a file that
// cannot be read or is refused it is told which one it is. Interrupted, the daemon forgets what came.
import { open, type FileHandle } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { ARCHIVE_PART_BYTES } from '../../shared-protocol/archive-parts.js';
import type { ImportArchiveDto } from '../../shared-protocol/dto/import-archives.js';
import type { Context } from '../context.js';
import { CommandFailed } from '../exit-codes.js';
import { plain } from '../output/print.js';
import { bytes } from '../output/quantities.js';
import type { ApiClient } from './api-client.js';

const PATH = '/api/import_archives';
const READ_BYTES = 256 * 1024;

/** Returns the id by which it is imported. @throws CommandFailed */
export async function sendArchive(context: Context, api: ApiClient, file: string): Promise<number> {
  const handle = await open(file).catch((error: unknown) => {
    throw failedOf(file, error);
  });
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new CommandFailed('is a directory: give it without --archive');
    return await sendParts(context, api, handle, stats.size);
  } catch (error) {
    throw failedOf(file, error);
  } finally {
    await handle.close();
  }
}

export async function forgetArchive(api: ApiClient, id: number): Promise<void> {
  // It has gone already, or does by itself.
  await api.call('DELETE', `${PATH}/${id}`).catch(() => undefined);
}

/** The error, with the file in it where it is one about the archive. */
export function namingFile(file: string, error: unknown): unknown {
  const [, fault] = error instanceof CommandFailed ? (/^archive: (.*)$/s.exec(error.message) ?? []) : [];
  return fault === undefined ? error : failedOf(file, error);
}

async function sendParts(context: Context, api: ApiClient, handle: FileHandle, size: number): Promise<number> {
  if (size === 0) throw new CommandFailed('is empty');
  const { terminal, isJson } = context;
  const format = '{bar} {percentage}% of {size} sent';
  const bar =
    terminal.err.isTTY && !isJson
      ? new SingleBar({ format, hideCursor: true, stream: terminal.err, clearOnComplete: true })
      : null;
  bar?.start(size, 0, { size: bytes(size) });
  try {
    for (let sent: ImportArchiveDto | null = null; ;) {
      const offset: number = sent?.received_bytes ?? 0;
      const query: string = sent ? `id=${sent.id}&offset=${offset}` : `size=${size}`;
      const part = readPart(handle, offset, Math.min(size, offset + ARCHIVE_PART_BYTES), (at) => bar?.update(at));
      sent = await api.send<ImportArchiveDto>(`${PATH}?${query}`, part);
      if (sent.state === 'ready') return sent.id;
      if (sent.received_bytes <= offset) throw new CommandFailed('it became shorter while it was sent');
    }
  } finally {
    bar?.stop();
  }
}

async function* readPart(handle: FileHandle, from: number, to: number, onRead: (at: number) => void) {
  for (let at = from; at < to;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(READ_BYTES, to - at)), 0, null, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
    onRead(at);
  }
}

function failedOf(file: string, error: unknown): unknown {
  if (error instanceof CommandFailed)
    return new CommandFailed(`${plain(file)}: ${error.message.replace(/^archive: /, '')}`, error.exitCode);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new CommandFailed(`${plain(file)}: ${code === 'ENOENT' ? 'no such file' : message}`);
}
