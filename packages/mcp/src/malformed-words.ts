import { wordsMisfit } from '@svc/protocol/conventions';

/** Words that begin like a forecast and would not count, or that do not answer their question. The reason can quote untrusted text. */
export class MalformedWords extends Error {
  override name = 'MalformedWords';
  readonly reason: string;
  constructor(reason: string) {
    super('nothing was etched, because scores would not count the content; see untrusted.reason');
    this.reason = reason;
  }
}

/**
 * @param question the question of the challenge; null outside challenges
 * @throws {MalformedWords}
 */
export function refuseMalformed(content: string, question: string | null, asText: boolean | undefined): void {
  const reason = asText === true ? null : wordsMisfit(content, question);
  if (reason !== null) throw new MalformedWords(reason);
}
