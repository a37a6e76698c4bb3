// Functions of the C library that Node does not offer, called through koffi (docs/decisions/0013-koffi-for-seek-data.md).
import { createRequire } from 'node:module';

/** Architectures whose file offsets have 64 bits without more ado. */
const ARCHITECTURES: readonly string[] = ['x64', 'arm64'];

type CValue = number | string | Uint8Array;

/** Takes what its declaration says. */
export interface CFunction {
  (...args: readonly CValue[]): number;
  /** On a thread of libuv, for what may take long; `done` is told what it returned. */
  async(...args: readonly [...values: CValue[], done: (error: Error | null, result: number) => void]): void;
}

export interface CLibrary {
  /** By its declaration in C. */
  func(declaration: string): CFunction;
  /** The error number of the last call that failed. */
  errno(): number;
}

/** The part of koffi that is used. */
interface Koffi {
  load(library: null): Pick<CLibrary, 'func'>;
  errno(): number;
}

/** null where it cannot be called. Takes some 10 ms the first time in a thread. */
export function loadCLibrary(): CLibrary | null {
  if (process.platform !== 'linux' || !ARCHITECTURES.includes(process.arch)) return null;
  try {
    // Of a module without a build for this machine nothing but this goes amiss.
    const koffi = createRequire(import.meta.url)('koffi') as Koffi;
    const library = koffi.load(null);
    return { func: (declaration) => library.func(declaration), errno: () => koffi.errno() };
  } catch {
    return null;
  }
}
