// How much waits for the webhooks of each account. Owns the bounds: what waits is in memory, and in a file that is written
// whole; long paths make a message several times as long as most are.

/** A message and its receiver's account. */
interface Waiting {
  readonly account_id: number;
  readonly text: string;
}

export interface Amount {
  readonly messages: number;
  readonly chars: number;
}

const MAX_MESSAGES_PER_ACCOUNT = 5_000;
/** Room for that many messages of 500 characters, which is what most have. */
const MAX_CHARS_PER_ACCOUNT = 2_500_000;

const NOTHING: Amount = { messages: 0, chars: 0 };

export class Backlog {
  readonly #byAccount = new Map<number, Amount>();

  hasRoomFor({ account_id, text }: Waiting): boolean {
    return isRoomBeside(this.#byAccount.get(account_id) ?? NOTHING, text);
  }

  add({ account_id, text }: Waiting): void {
    this.change(account_id, NOTHING, { messages: 1, chars: text.length });
  }

  /** Some of what waits for an account was so much, and is so much now. */
  change(accountId: number, was: Amount, is: Amount): void {
    const before = this.#byAccount.get(accountId) ?? NOTHING;
    const messages = before.messages + is.messages - was.messages;
    const chars = before.chars + is.chars - was.chars;
    if (messages > 0) this.#byAccount.set(accountId, { messages, chars });
    else this.#byAccount.delete(accountId);
  }

  clear(): void {
    this.#byAccount.clear();
  }
}

export function amountOf(waiting: readonly Waiting[]): Amount {
  return { messages: waiting.length, chars: waiting.reduce((sum, { text }) => sum + text.length, 0) };
}

/** Whether a message of that text may wait beside what waits for its account. */
export function isRoomBeside({ messages, chars }: Amount, text: string): boolean {
  return messages < MAX_MESSAGES_PER_ACCOUNT && chars + text.length <= MAX_CHARS_PER_ACCOUNT;
}
