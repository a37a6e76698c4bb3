// The kinds of fields that several DTOs share (docs/semantics.md section 4). A schema both checks and tidies (trims,
// rounds down) what a client sends; what it says about a value that it refuses is worded in
// api/routes/validation-message.ts.
import { z } from 'zod';
import { REASON_CODES } from '../reasons.js';
import { MAX_EXCLUDED_NAME_CHARS, MAX_EXCLUDED_NAMES } from '../excluded-names.js';
import { isIncompleteSuffix, MAX_SUFFIX_CHARS } from '../incomplete-suffix.js';

const KIB = 1024;
/** So that bytes per second are whole numbers that JSON can hold. */
const MAX_KBPS = Math.floor(Number.MAX_SAFE_INTEGER / KIB);
/** docs/semantics.md section 1. */
const MAX_PATH_LENGTH = 4096;
const MAX_URL_LENGTH = 2048;
/** Argon2 reads all of it: no spec value. */
const MAX_PASSWORD_LENGTH = 1024;
export const MIN_PASSWORD_LENGTH = 8;

/** The name of a category, tag or feed: NFC, without control characters. */
export const nameSchema = z
  .string()
  .overwrite((text) => text.normalize('NFC').trim())
  .min(1)
  .max(100)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

/** Empty, `#RGB`, `#RRGGBB`, `#RRGGBBAA`, or a bare CSS colour word. */
export const colorSchema = z
  .string()
  .regex(/^(?:|#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z]{1,32})$/, 'expected a colour like #09f');

/** KB per second, of 1,024 bytes; fractions are rounded down; 0 is no limit. */
export const kbpsSchema = z.number().min(0).max(MAX_KBPS).overwrite(Math.floor);

/** A number of things, from 0. */
export const countSchema = z.int().min(0);

/** An id that the service gave out. */
export const idSchema = z.int().min(1);

/** Unix seconds; 0 when never. */
export const timeSchema = z.int().min(0);

/** Where it leads is checked where it is used (docs/semantics.md section 10). Empty stands for a default. */
export const pathSchema = z
  .string()
  .max(MAX_PATH_LENGTH)
  .refine((path) => !path.includes('\0'), 'contains a NUL character');

/** A suffix of incomplete files; empty: none. */
export const suffixSchema = z
  .string()
  .max(MAX_SUFFIX_CHARS)
  .overwrite((text) => text.normalize('NFC'))
  .refine(
    (text) => text === '' || isIncompleteSuffix(text),
    'expected a dot and characters that names have on every system, like .part',
  );

/** Patterns of names of files that are not wanted: `*` stands for any characters, `?` for one. */
export const excludedNamesSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(MAX_EXCLUDED_NAME_CHARS)
      .refine((pattern) => !/[/\0]/.test(pattern), 'expected the name of a file or folder, without /'),
  )
  .max(MAX_EXCLUDED_NAMES);

/** A URL as text; where it leads is checked when it is fetched. */
export const urlSchema = z.string().trim().max(MAX_URL_LENGTH);

export const newPasswordSchema = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH);

/** Also of passwords that cannot be right: they are compared all the same. */
export const anyPasswordSchema = z.string().max(MAX_PASSWORD_LENGTH);

/** An info hash in the body of a request; it is parsed where the torrent is looked for. */
export const infohashSchema = z.string().max(64);

export const okSchema = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' });
/** The facts that a sentence holds beside its words, by its code. */
export const factsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const reasonFields = {
  code: z.enum(REASON_CODES),
  data: factsSchema.optional(),
};
/** Why something failed, for programs (docs/api.md, "Codes"). */
export const reasonSchema = z.object(reasonFields).meta({ id: 'Reason' });
/** `code`: of errors that clients do something about. */
export const errorSchema = z
  .object({ error: z.string(), ...z.object(reasonFields).partial().shape })
  .meta({ id: 'Error' });
export const newIdSchema = z.object({ id: idSchema }).meta({ id: 'NewId' });
