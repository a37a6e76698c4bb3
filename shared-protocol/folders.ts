// What the api asks of the file system that torrents are saved in: this machine's, or that of an engine elsewhere. Everybody
// else's word for a path is the engine's: a link there may lead where the same path here does not.

/** Where a path really leads. */
export type RealLocation =
  /** A directory, or where one can be made. */
  | { readonly kind: 'place'; readonly path: string }
  /** `path` is how far one gets; `isNoFolder`: something else lies there. */
  | { readonly kind: 'unusable'; readonly path: string; readonly reason: string; readonly isNoFolder?: true };

/** Whether files can be made at a path. */
export type FolderTrial =
  | { readonly kind: 'usable' }
  /** `exists`: the folder itself. `code`: as the system says why. */
  | { readonly kind: 'refused'; readonly exists: boolean; readonly code: string };

/** How full the volume of a path is. */
export interface VolumeLook {
  /** Alike for paths on one volume. */
  readonly device: number;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

export interface ListFolderParams {
  /** Real, and absolute. */
  readonly folder: string;
  /** Names that begin so, however they are written; names that begin with a dot only where this does. @default all */
  readonly beginning?: string;
}

/** An entry that a text can name. */
export interface ListedEntry {
  readonly name: string;
  readonly kind: 'folder' | 'file';
  /** Where it leads, if it is a link to a folder; else where it is. Links to anything else are left out. */
  readonly realPath: string;
  readonly isLink: boolean;
}

export interface ListedFolder {
  /** null: it cannot be read. */
  readonly entries: readonly ListedEntry[] | null;
  /** Whether all of the folder was looked at. */
  readonly isComplete: boolean;
}

/** A file system that is asked. Nobody waits for an answer of `locate` and `try` longer than for a command. */
export interface Folders {
  /** `path` absolute and in its normal form. */
  locate(path: string): Promise<RealLocation>;
  /** Tries a path like that of {@link locate}; nothing is left behind. */
  tryOut(path: string): Promise<FolderTrial>;
  isFolder(path: string): Promise<boolean>;
  volumes(paths: readonly string[]): Promise<readonly (VolumeLook | null)[]>;
  list(params: ListFolderParams): Promise<ListedFolder>;
}
