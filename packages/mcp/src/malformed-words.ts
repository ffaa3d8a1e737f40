import { wordsMisfit } from '@svc/protocol/conventions';

/** The reason can quote untrusted text. */
export class MalformedWords extends Error {
  override name = 'MalformedWords';
  readonly reason: string;
  constructor(reason: string) {
    super('nothing was etched, because scores would not count the content; see untrusted.reason');
    this.reason = reason;
  }
}

/**
 * @param question of the challenge
 * @throws {MalformedWords}
 */
export function refuseMalformed(content: string, question: string | null, asText: boolean | undefined): void {
  const reason = asText === true ? null : wordsMisfit(content, question);
  if (reason !== null) throw new MalformedWords(reason);
}
