// Moves all bytes asked for between a descriptor and memory, however the system splits them. Callbacks instead of
// promises: a read of a seeding peer costs one promise, and it is made by the caller.
import { read, readv, write } from 'node:fs';
import { ShortReadError } from './errors.js';

type Done = (error: Error | null) => void;

export function totalLength(views: readonly Uint8Array[]): number {
  let length = 0;
  for (const view of views) length += view.byteLength;
  return length;
}

/** Fills the views, `length` bytes in all, with one `preadv` where the system does not stop short. */
export function readInto(fd: number, views: readonly Uint8Array[], length: number, position: number, done: Done): void {
  if (length === 0) return done(null);
  const onRead = (error: Error | null, count: number): void => {
    if (error) return done(error);
    if (count === length) return done(null);
    if (count === 0) return done(new ShortReadError());
    readInto(fd, viewsFrom(views, count), length - count, position + count, done);
  };
  // readv makes an array of buffers native: one plain view goes quicker.
  if (views.length === 1) read(fd, views[0]!, 0, length, position, onRead);
  else readv(fd, views, position, onRead);
}

export function writeAll(fd: number, bytes: Uint8Array, position: number, done: Done): void {
  if (bytes.byteLength === 0) return done(null);
  write(fd, bytes, 0, bytes.byteLength, position, (error, count) => {
    if (error) done(error);
    else if (count === bytes.byteLength) done(null);
    else writeAll(fd, bytes.subarray(count), position + count, done);
  });
}

/** The views without their first `skip` bytes. */
export function viewsFrom(views: readonly Uint8Array[], skip: number): Uint8Array[] {
  return viewsBetween(views, skip, Number.POSITIVE_INFINITY);
}

/** The parts of the views that lie in `[from, to)`, counted over all of them. */
export function viewsBetween(views: readonly Uint8Array[], from: number, to: number): Uint8Array[] {
  const part: Uint8Array[] = [];
  let at = 0;
  for (const view of views) {
    const end = at + view.byteLength;
    if (view.byteLength > 0 && end > from && at < to)
      part.push(view.subarray(Math.max(0, from - at), Math.min(end, to) - at));
    at = end;
  }
  return part;
}
