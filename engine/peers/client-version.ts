// Reads the version in an Azureus-style peer id, in the style of the client that wrote it (client-codes.ts). What does
// not look like a version gives none.
import type { VersionStyle } from './client-codes.js';

/** `tail`: what follows the two characters of the client, at least five characters (four of the version, and "-"). */
export function versionOf(style: VersionStyle, tail: string): string | null {
  const version = tail.slice(0, 4);
  switch (style) {
    case 'digits':
      return dotted(version, 4)?.replace(/\.0$/, '') ?? null;
    case 'four':
      return dotted(version, 4);
    case 'three':
      return dotted(version, 3);
    case 'two':
      return dotted(version, 2);
    case 'one':
      return dotted(version, 1);
    case 'pairs':
      return pairs(version, (minor) => String(Number(minor)));
    case 'decimal':
      return pairs(version, (minor) => minor);
    case 'middlePair':
      return middlePair(version);
    case 'transmission':
      return transmission(version);
    case 'utorrent':
      return utorrent(tail);
    case 'bitlord':
      return bitlord(tail);
    case 'ktorrent':
      return ktorrent(version);
    case 'none':
      return null;
  }
}

/** A version of three digits only, as a few builds of some clients have it: "340-" is 3.4, "341-" 3.4.1. */
export function shortVersion(style: VersionStyle, tail: string): string | null {
  const match = style === 'utorrent' || style === 'ktorrent' ? /^(\d)(\d)(\d)-/.exec(tail) : null;
  if (!match) return null;
  return match[3] === '0' ? `${match[1]}.${match[2]}` : `${match[1]}.${match[2]}.${match[3]}`;
}

/** Base 62: 0 to 9, A to Z, a to z. */
function digitOf(character: string): number | null {
  if (/^[0-9]$/.test(character)) return Number(character);
  if (/^[A-Z]$/.test(character)) return character.charCodeAt(0) - 55;
  return /^[a-z]$/.test(character) ? character.charCodeAt(0) - 61 : null;
}

function dotted(version: string, count: number): string | null {
  const digits = [...version.slice(0, count)].map(digitOf);
  return digits.includes(null) ? null : digits.join('.');
}

function pairs(version: string, formatMinor: (minor: string) => string): string | null {
  const match = /^(\d\d)(\d\d)$/.exec(version);
  return match ? `${Number(match[1])}.${formatMinor(match[2]!)}` : null;
}

function middlePair(version: string): string | null {
  const match = /^(\d)(\d\d)(\d)$/.exec(version);
  return match ? `${match[1]}.${Number(match[2])}.${match[3]}` : null;
}

/** Three digits, and often a build number of three more. */
function bitlord(tail: string): string | null {
  const match = /^(\d)(\d)(\d)(\d{3})?/.exec(tail);
  return match ? `${match[1]}.${match[2]}.${match[3]}${match[4] ? `-${match[4]}` : ''}` : null;
}

/** "0006" is 0.6, "0072" 0.72, "2940" 2.94, "4060" 4.0.6; the last character marks builds that are no release. */
function transmission(version: string): string | null {
  const build = { B: ' (beta)', b: ' (beta)', Z: ' (dev)', X: ' (dev)' }[version[3]!] ?? '';
  if (/^00\d\d$/.test(version)) return `0.${version[2] === '0' ? version[3] : version.slice(2)}`;
  if (/^[0-3]\d\d/.test(version)) return `${version[0]}.${version.slice(1, 3)}${build}`;
  const release = dotted(version, 3);
  return release && release + build;
}

/** Hexadecimal digits; a third number of two digits takes the place of the last "-". */
function utorrent(tail: string): string | null {
  const match = /^([0-9a-f])([0-9a-f])(?:([0-9a-f])([^])-|(\d\d)([^]))/i.exec(tail);
  if (!match) return null;
  const third = match[5] ? Number(match[5]) : Number.parseInt(match[3]!, 16);
  const build = { B: ' (beta)', b: ' (beta)', X: ' (dev)', x: ' (dev)', Z: ' (dev)' }[match[4] ?? match[6]!] ?? '';
  return `${Number.parseInt(match[1]!, 16)}.${Number.parseInt(match[2]!, 16)}.${third}${build}`;
}

/** "33D1" is the first development version of 3.3, "33R2" its second release candidate. */
function ktorrent(version: string): string | null {
  const kind = { D: 'dev', R: 'RC' }[version[2]!];
  const base = dotted(version, kind ? 2 : 3);
  const build = digitOf(version[3]!);
  return kind && base ? `${base} ${kind} ${build ?? ''}`.trim() : base;
}
