// A disk that remembers what it has promised. Changes are visible at once and durable only after the sync that POSIX
// asks for: those of a file's bytes and size after fsync or fdatasync of the file, those of names after fsync of their
// folder. From it the states are made that a power cut may leave.
import { contentOf, newFile, OpenFile, type FileNode, type Survival } from './file-model.js';

type Names = readonly (readonly [name: string, node: Node | null])[];

interface FolderNode {
  readonly kind: 'folder';
  readonly visible: Map<string, Node>;
  readonly durable: Map<string, Node>;
  pending: { readonly at: number; readonly names: Names }[];
}
type Node = FileNode | FolderNode;

/** Files by path from the root, and folders. */
export interface DiskState {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly folders: ReadonlySet<string>;
}

export class DiskModel {
  readonly #root = newFolder();
  /** Files that were removed by name, at any time. */
  readonly removed = new Set<string>();

  /** A folder that was there, durably, before anything was recorded. */
  addFolder(path: string): void {
    let folder = this.#root;
    for (const name of elementsOf(path)) {
      const next = folder.visible.get(name) ?? newFolder();
      if (next.kind !== 'folder') throw new Error(`${path}: not a folder`);
      folder.visible.set(name, next);
      folder.durable.set(name, next);
      folder = next;
    }
  }

  /** The file that a name stands for: it keeps being this file when it is renamed. */
  open(
    path: string,
    at: number,
    { create, truncate }: { readonly create: boolean; readonly truncate: boolean },
  ): OpenFile {
    const [folder, name] = this.#locate(path);
    let node = folder.visible.get(name);
    if (!node) {
      if (!create) throw new Error(`${path}: opened, but unknown to the model`);
      node = newFile();
      this.#rename(folder, [[name, node]], at);
    }
    if (node.kind !== 'file') throw new Error(`${path}: a folder`);
    const file = new OpenFile(node);
    if (truncate && file.length > 0) file.resize(0, at);
    return file;
  }

  has(path: string): boolean {
    const [folder, name] = this.#locate(path);
    return folder.visible.has(name);
  }

  isFolder(path: string): boolean {
    if (elementsOf(path).length === 0) return true;
    const [folder, name] = this.#locate(path);
    return folder.visible.get(name)?.kind === 'folder';
  }

  makeFolder(path: string, at: number): void {
    const [folder, name] = this.#locate(path);
    this.#rename(folder, [[name, newFolder()]], at);
  }

  remove(path: string, at: number): void {
    const [folder, name] = this.#locate(path);
    this.removed.add(path);
    this.#rename(folder, [[name, null]], at);
  }

  link(from: string, to: string, at: number): void {
    const [source, oldName] = this.#locate(from);
    const [target, newName] = this.#locate(to);
    this.#rename(target, [[newName, source.visible.get(oldName)!]], at);
  }

  rename(from: string, to: string, at: number): void {
    const [source, oldName] = this.#locate(from);
    const [target, newName] = this.#locate(to);
    if (source !== target) throw new Error(`${from}: renamed into another folder, which the model does not know`);
    this.#rename(source, [[oldName, null], [newName, source.visible.get(oldName)!]], at); // prettier-ignore
  }

  /** fsync of a folder that began at this time. */
  syncFolder(path: string, begin: number): void {
    const folder = this.#folder(elementsOf(path));
    for (const { names } of folder.pending.filter(({ at }) => at < begin)) apply(folder.durable, names);
    folder.pending = folder.pending.filter(({ at }) => at >= begin);
  }

  stateAfterCrash(survival: Survival): DiskState {
    const files = new Map<string, Buffer>();
    const folders = new Set<string>();
    const visit = (folder: FolderNode, prefix: string): void => {
      const names = new Map(folder.durable);
      for (const change of folder.pending) if (survival.names(change.at)) apply(names, change.names);
      for (const [name, node] of names) {
        const path = `${prefix}${name}`;
        if (node.kind === 'file') files.set(path, contentOf(node, survival));
        else {
          folders.add(path);
          visit(node, `${path}/`);
        }
      }
    };
    visit(this.#root, '');
    return { files, folders };
  }

  #rename(folder: FolderNode, names: Names, at: number): void {
    apply(folder.visible, names);
    folder.pending.push({ at, names });
  }

  #locate(path: string): [folder: FolderNode, name: string] {
    const elements = elementsOf(path);
    return [this.#folder(elements.slice(0, -1)), elements.at(-1) ?? ''];
  }

  #folder(elements: readonly string[]): FolderNode {
    return elements.reduce((folder, name) => {
      const next = folder.visible.get(name);
      if (next?.kind !== 'folder') throw new Error(`${elements.join('/')}: a folder unknown to the model`);
      return next;
    }, this.#root);
  }
}

function apply(folder: Map<string, Node>, names: Names): void {
  for (const [name, node] of names) {
    if (node) folder.set(name, node);
    else folder.delete(name);
  }
}

function newFolder(): FolderNode {
  return { kind: 'folder', visible: new Map(), durable: new Map(), pending: [] };
}

function elementsOf(path: string): string[] {
  return path.split('/').filter((element) => element !== '' && element !== '.');
}
