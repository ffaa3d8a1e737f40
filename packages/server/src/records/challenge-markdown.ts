import type { ChallengeDetail, Etch } from '@svc/contract';
import type { DrandChain } from '@svc/protocol/timelock';
import { fenced, inline } from './markdown-text.ts';
import { etchesMarkdown } from './record-markdown.ts';

export async function challengeMarkdown(
  { challenge, etches }: { challenge: ChallengeDetail; etches: readonly Etch[] },
  { nextUrl, drand }: { nextUrl: string | null; drand: DrandChain | undefined },
): Promise<string> {
  const { creator, closed, reveal_at: revealAt, short_url: url } = challenge;
  const parts = [
    `# Challenge ${challenge.code} · ${challenge.category.label} · ${closed ? 'closed' : 'open'}`,
    fenced(challenge.question),
    [
      `- Asked by ${inline(creator.display_name)} (@${inline(creator.username)}), ${challenge.created_at}`,
      closed
        ? `- Closed ${revealAt}: all answers are open except retracted ones`
        : `- All answers are sealed until ${revealAt}: who and which day shows, never what`,
      `- <${url}>`,
    ].join('\n'),
    ...(await etchesMarkdown(etches, drand)),
    `${nextUrl === null ? '_End of the answers._' : `_The answers go on: <${nextUrl}>_`}\n`,
  ];
  return parts.join('\n\n');
}
