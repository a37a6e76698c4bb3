// The dialect of Transmission up to 4.0: `method`, `arguments` and `tag`, answered by `result`, `arguments` and the same
// `tag`.
import { answerFor } from '../../errors.js';
import { RefusedWith, sentenceOf } from './answers.js';
import { JsonText } from './json-text.js';
import { methodNamed } from './methods.js';
import type { Result } from './row.js';
import { logFailure, runMethod, type Caller } from './run-method.js';

const SUCCESS = 'success';

/** `value`: the body, undefined where it is no JSON. */
export async function answerLegacy(caller: Caller, value: unknown): Promise<JsonText> {
  const { method, arguments: args, tag } = fieldsOf(value);
  if (typeof method !== 'string') return answer({}, 'no method name', tag);
  const row = methodNamed(method);
  if (!row) return answer({}, 'method name not recognized', tag);
  try {
    return answer(await runMethod(caller, row, args, (name) => name), SUCCESS, tag);
  } catch (error) {
    logFailure(caller, method, error, answerFor(error).status);
    return answer(error instanceof RefusedWith ? error.args : {}, sentenceOf(error), tag);
  }
}

function fieldsOf(value: unknown): { readonly method?: unknown; readonly arguments?: unknown; readonly tag?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}

/** The tag is a number, or none. */
function answer(result: Result, sentence: string, tag: unknown): JsonText {
  const args = result instanceof JsonText ? result : JsonText.of(result);
  const echo = typeof tag === 'number' ? `,"tag":${tag}` : '';
  return JsonText.joined('{"arguments":', args, `,"result":${JSON.stringify(sentence)}${echo}}`);
}
