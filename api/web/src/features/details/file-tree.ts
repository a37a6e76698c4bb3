// The files of a torrent as a tree. Nodes lie in the order in which they are shown when all folders are open, so a parent
// is before all that is below it: sums go backwards, and what is visible goes forwards. Pure.
import type { FileDto } from '../../../../../shared-protocol/dto/inspector.js';

export type Priority = FileDto['priority'];

export interface TreeNode {
  /** Stays the same as long as the tree does. */
  readonly key: string;
  readonly name: string;
  /** The path below the save path, in lower case: what a filter is held against. */
  readonly path: string;
  readonly depth: number;
  /** The place of the folder around it in the list of nodes; -1 at the top. */
  readonly parent: number;
  /** Behind the last node below it. */
  readonly end: number;
  /** The place in the list of files; -1 for a folder. */
  readonly file: number;
}

export interface Sums {
  readonly size: Float64Array;
  readonly done: Float64Array;
  /** 0 to 1, of what is not skipped; of everything where all is. */
  readonly progress: Float64Array;
  readonly priority: readonly (Priority | 'mixed')[];
}

/** Room for the sums of a tree, written anew with each tick: of ten thousand files it is half a megabyte. */
export interface SumsBuffer extends Sums {
  readonly priority: (Priority | 'mixed')[];
  readonly wanted: Float64Array;
  readonly wantedDone: Float64Array;
}

export function sumsBuffer(nodes: readonly TreeNode[]): SumsBuffer {
  const column = () => new Float64Array(nodes.length);
  const priority = new Array<Priority | 'mixed'>(nodes.length).fill('normal');
  return { size: column(), done: column(), progress: column(), wanted: column(), wantedDone: column(), priority };
}

interface Folder {
  readonly name: string;
  readonly folders: Map<string, Folder>;
  /** Files by their place, folders as they are: in the order in which the torrent names them. */
  readonly children: (Folder | number)[];
}

export function buildTree(files: readonly Pick<FileDto, 'path'>[]): readonly TreeNode[] {
  const root: Folder = { name: '', folders: new Map(), children: [] };
  for (const [place, { path }] of files.entries()) folderOf(root, path).children.push(place);
  const nodes: TreeNode[] = [];
  const add = (folder: Folder, parent: number, depth: number, above: string) => {
    for (const child of folder.children) {
      const at = nodes.length;
      if (typeof child === 'number') {
        const path = files[child]!.path;
        const name = path.slice(path.lastIndexOf('/') + 1);
        const node = { key: `f${child}`, name, path: path.toLowerCase(), depth, parent, end: at + 1, file: child };
        nodes.push(node);
        continue;
      }
      const path = `${above}${child.name}/`;
      const node = { key: path, name: child.name, path: path.toLowerCase(), depth, parent, end: 0, file: -1 };
      nodes.push(node);
      add(child, at, depth + 1, path);
      node.end = nodes.length;
    }
  };
  add(root, -1, 0, '');
  return nodes;
}

function folderOf(root: Folder, path: string): Folder {
  let folder = root;
  for (let from = 0, to = path.indexOf('/'); to !== -1; from = to + 1, to = path.indexOf('/', from)) {
    const name = path.slice(from, to);
    let next = folder.folders.get(name);
    if (!next) {
      next = { name, folders: new Map(), children: [] };
      folder.folders.set(name, next);
      folder.children.push(next);
    }
    folder = next;
  }
  return folder;
}

export function isSameShape(a: readonly Pick<FileDto, 'path'>[], b: readonly Pick<FileDto, 'path'>[]): boolean {
  return a === b || (a.length === b.length && a.every(({ path }, place) => path === b[place]!.path));
}

/** Returns the buffer. `priorityOf`: of a file by its place; it may know better than the last tick. */
export function sumUp(
  nodes: readonly TreeNode[],
  files: readonly Pick<FileDto, 'size' | 'bytes_done' | 'progress'>[],
  priorityOf: (place: number) => Priority,
  buffer: SumsBuffer,
): Sums {
  const { size, done, wanted, wantedDone, progress, priority } = buffer;
  for (const column of [size, done, wanted, wantedDone]) column.fill(0);
  for (let at = nodes.length - 1; at >= 0; at--) {
    const { file, parent, end } = nodes[at]!;
    if (file === -1) {
      progress[at] = wanted[at]! > 0 ? wantedDone[at]! / wanted[at]! : size[at]! > 0 ? done[at]! / size[at]! : 1;
    } else {
      const { size: bytes, bytes_done, progress: part } = files[file]!;
      size[at] = bytes;
      done[at] = bytes_done;
      progress[at] = part;
      priority[at] = priorityOf(file);
      if (priority[at] !== 'skip') {
        wanted[at] = bytes;
        wantedDone[at] = bytes_done;
      }
    }
    if (parent === -1) continue;
    size[parent]! += size[at]!;
    done[parent]! += done[at]!;
    wanted[parent]! += wanted[at]!;
    wantedDone[parent]! += wantedDone[at]!;
    // The last one below it comes first.
    const isFirst = end === nodes[parent]!.end;
    priority[parent] = isFirst || priority[parent] === priority[at] ? priority[at]! : 'mixed';
  }
  return buffer;
}

/** The places of the nodes that are shown. A filter shows what matches with the folders it is in, closed or not. */
export function visibleNodes(nodes: readonly TreeNode[], closed: ReadonlySet<string>, filter: string): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length > 0) return matching(nodes, words);
  const visible: number[] = [];
  for (let at = 0; at < nodes.length;) {
    const { key, end } = nodes[at]!;
    visible.push(at);
    at = closed.has(key) ? end : at + 1;
  }
  return visible;
}

function matching(nodes: readonly TreeNode[], words: readonly string[]): number[] {
  const isShown = new Uint8Array(nodes.length);
  for (let at = nodes.length - 1; at >= 0; at--) {
    const { path, parent, file } = nodes[at]!;
    if (file !== -1 && words.every((word) => path.includes(word))) isShown[at] = 1;
    if (isShown[at] && parent !== -1) isShown[parent] = 1;
  }
  return nodes.flatMap((_, at) => (isShown[at] ? at : []));
}

/** The places of the files at or below these nodes, each once. */
export function filesBelow(nodes: readonly TreeNode[], places: Iterable<number>): number[] {
  const files = new Set<number>();
  for (const place of places) {
    for (let at = place; at < nodes[place]!.end; at++) if (nodes[at]!.file !== -1) files.add(nodes[at]!.file);
  }
  return [...files];
}

/** The path below the save path, as the server has it. */
export function pathOf(nodes: readonly TreeNode[], at: number): string {
  const names: string[] = [];
  for (let node = nodes[at]; node; node = nodes[node.parent]) names.unshift(node.name);
  return names.join('/');
}
