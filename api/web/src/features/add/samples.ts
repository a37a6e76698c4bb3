// Which files are samples: short pieces of a film by which one judges it before all of it is there. Pure.

/** A word of its own, in the name of the file or of a folder. */
const SAMPLE = /(?:^|[^a-z])samples?(?:[^a-z]|$)/i;

/** `path`: below the save path. What all of the torrent is called does not make all of it a sample. */
export function isSample(path: string): boolean {
  return SAMPLE.test(path.slice(path.indexOf('/') + 1));
}
