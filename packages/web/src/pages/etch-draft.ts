/** An etch as far as it is written: everything as typed, or empty. */
export interface EtchDraft {
  /** the Idempotency-Key: one draft etches once, however often it is sent */
  draft: string;
  content: string;
  description: string;
  category_id: string;
  mode: string;
  /** as the date field holds it, in UTC */
  reveal_at: string;
  /** the challenge it answers: it stays bound to it, also while what the challenge says cannot be read */
  challenge_id?: string | undefined;
}

/** The challenge it answers, which sets topic, description and time. */
export interface Answering {
  id: string;
  question: string;
  topic: string;
  revealAt: string;
}

/** An answer is never shown as an etch of its own, which could be public at once. */
export const challengeOf = (
  { challenge_id: id }: EtchDraft,
  answering: Answering | undefined,
): string | undefined => answering?.id ?? (id || undefined);
