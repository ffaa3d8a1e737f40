import { promisedBeside } from '@svc/protocol';
import type { Beside, PromisedBeside } from '@svc/protocol';

/** What is shown beside the words and is not what was promised, each in words. */
export function besideDifferences(promised: PromisedBeside, shown: Beside): string[] {
  const is = promisedBeside(shown);
  const named = (value: string | null): string => value ?? 'none';
  return [
    ...(is.descriptionHash === promised.descriptionHash
      ? []
      : [`the SHA-256 of its description is ${is.descriptionHash}, not ${promised.descriptionHash}`]),
    ...(
      [
        ['topic', 'topic'],
        ['mode', 'mode'],
        ['reveal time', 'revealAt'],
        ['challenge', 'challengeId'],
      ] as const
    ).flatMap(([name, field]) =>
      is[field] === promised[field]
        ? []
        : [`its ${name} is ${named(is[field])}, not ${named(promised[field])}`],
    ),
  ];
}
