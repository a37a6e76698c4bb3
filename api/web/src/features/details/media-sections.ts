// The text of MediaInfo as what it is made of, so that it can be laid out on any width; and which files it is asked about. Pure.

export interface MediaSection {
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly value: string }[];
}

const MEDIA =
  /\.(?:mkv|mk3d|mka|webm|mp4|m4v|m4a|m4b|mov|avi|wmv|wma|flv|mpe?g|m2v|m2ts|mts|ts|vob|og[gv]|opus|3gp|mp[23]|aac|flac|wav|aiff?|ac3|e?ac3|dts|ape|wv)$/i;

/** By its ending: of others it would say the size alone. */
export function isMedia(path: string): boolean {
  return MEDIA.test(path);
}

/** Sections stand apart by an empty line; their first line is the title. */
export function mediaSections(text: string): readonly MediaSection[] {
  return text
    .split(/\n\s*\n/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .flatMap(([title, ...lines]) => (title === undefined ? [] : [{ title, lines: lines.map(lineOf) }]));
}

function lineOf(line: string): MediaSection['lines'][number] {
  const at = line.indexOf(': ');
  return at < 0 ? { label: line.trim(), value: '' } : { label: line.slice(0, at).trim(), value: line.slice(at + 2) };
}
