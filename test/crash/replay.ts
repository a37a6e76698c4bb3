// Plays the traces of a daemon's lives on the model of a disk, stopping wherever the power may be cut. Stops at the
// beginning of an HTTP answer too: from there on what it acknowledges must last.
import { relative } from 'node:path';
import { DiskModel } from './disk-model.js';
import type { OpenFile } from './file-model.js';
import { descriptorOf, numbersOf, readTrace, stringsOf, type TracedCall } from './trace.js';

/** What is mapped into memory is written without a call; LMDB makes its lock file anew, and so do we with ours. */
const NOT_MODELLED = /(^|\/)(data\.mdb-lock|lock)$/;
const FORBIDDEN = new Set(['fallocate', 'copy_file_range', 'sync_file_range', 'pwritev2', 'msync', 'truncate']);

type EndedCall = TracedCall & { readonly end: number };

export interface Moment {
  /** What has just happened, for messages. */
  readonly what: string;
  /** Relative to the root; empty for an answer. */
  readonly path: string;
  /** HTTP answers that have begun, over all lives. */
  readonly answers: number;
}

export class Replay {
  readonly disk = new DiskModel();
  #time = 0;
  #answers = 0;
  /** Folders that are held open, by descriptor: what is named by way of one lies in it. */
  readonly #folders = new Map<number, string>();

  /** Everything of interest lies below `root`, an absolute path. */
  constructor(private readonly root: string) {}

  /** One life; descriptors end with it, what was not synced does not. */
  *life(log: string): Iterable<Moment> {
    const files = new Map<number, OpenFile>();
    this.#folders.clear();
    const timeBefore = this.#time;
    for (const call of readTrace(log)) {
      const { end } = call;
      const path = end === null ? this.#answer(call) : this.#play({ ...call, end }, files, timeBefore);
      this.#time = timeBefore + (end ?? call.begin) + 1;
      if (path !== null) yield { what: `${call.name} ${path}`, path, answers: this.#answers };
    }
  }

  /** The path that was touched, empty for an answer; null when it is nothing to us. */
  #play(call: EndedCall, files: Map<number, OpenFile>, timeBefore: number): string | null {
    const at = timeBefore + call.end;
    const begin = timeBefore + call.begin;
    if (/^(openat|open|creat)$/.test(call.name)) return this.#open(call, files, at);
    if (/^(rename|link|unlink|mkdir|rmdir)(at2?)?$/.test(call.name)) return this.#name(call, at);
    if (call.begin === call.end && this.#answer(call) !== null) return '';
    const { fd, path } = descriptorOf(call);
    const inside = this.#inside(path);
    if (inside === null) return null;
    if (FORBIDDEN.has(call.name)) throw new Error(`${call.name} of ${inside}: unknown to the model`);
    if (call.name === 'fsync' && this.disk.isFolder(inside)) {
      this.disk.syncFolder(inside, begin);
      return inside;
    }
    const file = files.get(fd);
    if (!file) throw new Error(`${call.name} of ${inside}: descriptor unknown to the model`);
    return playOnFile(call, file, { at, begin }) ? inside : null;
  }

  #open(call: EndedCall, files: Map<number, OpenFile>, at: number): string | null {
    if (/O_DIRECTORY/.test(call.args)) this.#folders.set(call.result, call.resultPath);
    const path = this.#inside(call.resultPath);
    if (path === null || /O_DIRECTORY/.test(call.args) || this.disk.isFolder(path)) return null;
    const isNew = !this.disk.has(path);
    const truncate = /O_TRUNC/.test(call.args);
    const file = this.disk.open(path, at, { create: /O_CREAT/.test(call.args), truncate });
    file.isSynchronous = /O_D?SYNC/.test(call.args);
    files.set(call.result, file);
    return isNew || truncate ? path : null;
  }

  #name(call: TracedCall, at: number): string | null {
    const [first, second] = stringsOf(call).map((bytes) => this.#inside(this.#named(bytes.toString())));
    if (first === undefined || first === null) return null;
    if (call.name.startsWith('mkdir')) this.disk.makeFolder(first, at);
    else if (call.name.startsWith('unlink') || call.name === 'rmdir') this.disk.remove(first, at);
    else if (call.name.startsWith('link')) this.disk.link(first, second!, at);
    else this.disk.rename(first, second!, at);
    return first;
  }

  #named(path: string): string {
    return path.replace(/^\/proc\/self\/fd\/(\d+)(?=\/)/, (whole, fd) => this.#folders.get(Number(fd)) ?? whole);
  }

  /** Empty when an HTTP answer begins; it has promised then, whether or not this call ever ends. */
  #answer(call: TracedCall): string | null {
    if (!/^(write|writev|sendmsg|sendto)$/.test(call.name) || !descriptorOf(call).path.startsWith('socket:'))
      return null;
    if (!stringsOf(call).some((bytes) => bytes.subarray(0, 9).toString('latin1') === 'HTTP/1.1 ')) return null;
    this.#answers++;
    return '';
  }

  #inside(path: string): string | null {
    const inside = relative(this.root, path) || '.';
    return path.startsWith('/') && !inside.startsWith('..') && !NOT_MODELLED.test(inside) ? inside : null;
  }
}

/** Whether anything may be different now. */
function playOnFile(call: TracedCall, file: OpenFile, { at, begin }: { readonly at: number; readonly begin: number }) {
  const { name, result } = call;
  if (name === 'lseek') file.position = result;
  else if (name === 'fsync' || name === 'fdatasync') file.sync(begin);
  else if (name === 'ftruncate') file.resize(numbersOf(call)[0]!, at);
  else if (/^p?writev?(64)?$/.test(name)) {
    const bytes = Buffer.concat(stringsOf(call)).subarray(0, result);
    if (bytes.length !== result) throw new Error(`${name}: ${bytes.length} bytes recorded of ${result}`);
    const isPositioned = name.startsWith('p');
    file.write(isPositioned ? numbersOf(call).at(-1)! : file.position, bytes, at);
    if (!isPositioned) file.position += result;
  } else return false;
  return name !== 'lseek';
}
