// One thing that was looked at.
export interface Finding {
  readonly what: string;
  /** `worth`: worth a look, though it may be meant so. */
  readonly how: 'fine' | 'worth' | 'wrong';
  /** In a sentence, what was seen. */
  readonly found: string;
  /** The way out, in a sentence. */
  readonly advice?: string;
}
