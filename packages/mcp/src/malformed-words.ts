import { wordsMisfit } from '@svc/protocol/conventions';

/** Words that would not count as what they begin as, or as an answer to their question. Why is in part the words of others. */
export class MalformedWords extends Error {
  override name = 'MalformedWords';
  readonly reason: string;
  constructor(reason: string) {
    super(
      'nothing was etched: the content is malformed, and scores would not count it; untrusted.reason says why',
    );
    this.reason = reason;
  }
}

/**
 * @param question of the challenge that the words answer; null outside challenges
 * @throws {MalformedWords}
 */
export function refuseMalformed(content: string, question: string | null, asText: boolean | undefined): void {
  const reason = asText === true ? null : wordsMisfit(content, question);
  if (reason !== null) throw new MalformedWords(reason);
}
