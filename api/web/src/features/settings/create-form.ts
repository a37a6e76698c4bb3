// A form over something of the server's: what has been typed lies over what was loaded until it is saved, so a newer
// answer of the server never takes away what the user is typing. No markup here.
import { createSignal, type Accessor } from 'solid-js';
import { ApiError } from '../../net/http.js';
import type { Codecs, Typed } from './codecs.js';
import { typedSince, type Edits } from './edits.js';
import { problemOf } from './server-problem.js';

export interface FormOptions<Values extends object> {
  readonly codecs: Codecs<Values>;
  /** null until it has come. */
  readonly source: Accessor<Values | null>;
  /** Also reads the source again, if it changes by this. @throws ApiError */
  readonly save: (values: Values) => Promise<unknown>;
  /** Problems that several fields make together. */
  readonly check?: (values: Values) => Partial<Record<keyof Values, string>>;
  /** Flags of the command line by the fields that they have decided. */
  readonly pins?: Accessor<Pins<Values>>;
}

export type Pins<Values> = Partial<Record<keyof Values, string>>;

export interface Form<Values extends object> {
  readonly isLoaded: Accessor<boolean>;
  readonly isChanged: Accessor<boolean>;
  readonly isBusy: Accessor<boolean>;
  /** The problem of the whole; what is wrong with one field is said there. */
  readonly problem: Accessor<string | null>;
  typed(name: keyof Values): Typed;
  type(name: keyof Values, typed: Typed): void;
  problemOf(name: keyof Values): string | null;
  /** The flag that has decided the field, which cannot be changed then. */
  pinOf(name: keyof Values): string | null;
  /** Returns what would be saved; null while something typed cannot be a value. */
  values(): Values | null;
  reset(): void;
  /** Whether it has been saved; what hinders it is shown by then. */
  submit(): Promise<boolean>;
}

type Problems<Values> = Partial<Record<keyof Values, string>>;

/** Edits of a form in which nothing has been typed. */
const NO_EDITS = {} as Edits<never>;

export function createForm<Values extends object>(options: FormOptions<Values>): Form<Values> {
  const names = Object.keys(options.codecs) as (keyof Values)[];
  const [edits, setEdits] = createSignal<Edits<keyof Values>>(NO_EDITS);
  const [refusals, setRefusals] = createSignal<Problems<Values>>({});
  const [problem, setProblem] = createSignal<string | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  const [wasTried, setWasTried] = createSignal(false);

  const loaded = (name: keyof Values): Typed => {
    const source = options.source();
    return source === null ? '' : options.codecs[name].show(source[name]);
  };
  const typed = (name: keyof Values) => edits()[name] ?? loaded(name);
  const isEdited = (name: keyof Values) => edits()[name] !== undefined && edits()[name] !== loaded(name);
  const reading = (name: keyof Values) => options.codecs[name].read(typed(name));

  const values = (): Values | null => {
    const read: Partial<Values> = {};
    for (const name of names) {
      const found = reading(name);
      if ('problem' in found) return null;
      read[name] = found.value;
    }
    return read as Values; // every name has been read
  };

  const ownProblemOf = (name: keyof Values): string | null => {
    const found = reading(name);
    if ('problem' in found) return found.problem;
    const all = values();
    return (all && options.check?.(all)[name]) ?? null;
  };

  const reset = () => forget(edits());

  /** Forgets what has been typed, but for what is not as it was when `then` was. */
  const forget = (then: Edits<keyof Values>) => {
    setEdits((now) => typedSince(now, then));
    setRefusals({});
    setProblem(null);
    setWasTried(false);
  };

  const submit = async (): Promise<boolean> => {
    setWasTried(true);
    const toSave = values();
    if (!toSave || names.some((name) => ownProblemOf(name) !== null)) return false;
    const saved = edits();
    setIsBusy(true);
    setProblem(null);
    setRefusals({});
    try {
      await options.save(toSave);
      // What was typed meanwhile is still to be saved.
      forget(saved);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { field, reason } = problemOf(error, names.map(String));
      if (field === null) setProblem(reason);
      else setRefusals(() => ({ [field]: reason }) as Problems<Values>);
      return false;
    } finally {
      setIsBusy(false);
    }
  };

  return {
    isLoaded: () => options.source() !== null,
    isChanged: () => names.some(isEdited),
    isBusy,
    problem,
    typed,
    type(name, next) {
      setEdits((before) => ({ ...before, [name]: next }));
      setRefusals((before) => ({ ...before, [name]: undefined }));
    },
    problemOf: (name) =>
      refusals()[name] ?? (options.source() !== null && (isEdited(name) || wasTried()) ? ownProblemOf(name) : null),
    pinOf: (name) => options.pins?.()[name] ?? null,
    values,
    reset,
    submit,
  };
}
