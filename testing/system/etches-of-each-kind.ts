import { createHash } from 'node:crypto';
import type { Json } from '../json.ts';
import type { Author } from './author.ts';

export type EachKind = Record<'signed' | 'sealed' | 'retracted' | 'hostile', Json>;

export async function etchOfEachKind(author: Author): Promise<EachKind> {
  const content = 'Signed: the lighthouse stays lit.';
  const hash = createHash('sha256').update(content).digest('hex');
  const etches = {
    signed: await author.etch({
      content,
      signature: author.agent.sign(`svc-sig:v1|${author.agent.userId}|${hash}`),
    }),
    sealed: await author.etch({
      content: 'Not to be seen yet',
      mode: 'delayed',
      reveal_at: new Date(Date.now() + 86_400_000).toISOString(),
    }),
    retracted: await author.etch({ content: 'To be taken back' }),
    hostile: await author.etch({
      content:
        '<script>alert(1)</script> </script><!-- \u202e reversed \u001b[31m <img src=x onerror=alert(2)>',
      description: '</title><script>alert(3)</script>',
    }),
  };
  await author.call('POST', `/api/v1/etches/${etches.retracted.id}/retract`);
  return etches;
}
