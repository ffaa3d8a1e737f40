import type { Etch } from '@svc/contract';
import { soon } from '../proof-status.ts';
import { isDevnet, type Site } from '../site.ts';
import { EtchList } from './etch-card.tsx';
import { prose, say } from './prose.tsx';
import { Spine } from './spine.tsx';
import { safe } from './values.tsx';

/** Plain words are a better example than a line of a convention. Answers to a challenge are one entry of a list. */
export const chooseExample = (etches: readonly Etch[]): Etch | undefined => {
  const worked = etches.filter((etch) => etch.challenge === null && isWorked(etch));
  return worked.find(({ content }) => !content!.startsWith('svc-')) ?? worked[0];
};

/** Only open words that were on the chain before. */
const isWorked = ({ status, content, chain, reveal_at: opened }: Etch): boolean =>
  status === 'revealed' &&
  content !== null &&
  opened !== null &&
  chain.anchored_at !== null &&
  chain.anchored_at < opened;

type WorkedExampleProps = { site: Site; etch: Etch | undefined };

export const WorkedExample = ({ site, etch }: WorkedExampleProps) => (
  <section class="wide" aria-labelledby="example">
    <h2 id="example">{etch ? 'An etch that opened here' : 'How it works'}</h2>
    {etch ? <Opened site={site} etch={etch} /> : <Steps site={site} />}
  </section>
);

const Opened = ({ site, etch }: { site: Site; etch: Etch }) => (
  <>
    <EtchList site={site} etches={[etch]} empty="" />
    <Spine site={site} etch={etch} />
    {!isDevnet(site) &&
      prose`
        It was on the blockchain ${safe(site.chain.name)} before it opened. No character of it could change unnoticed.
      `}
    <p>
      <a class="button secondary" href={`/e/${etch.id}/verify`}>
        Verify it yourself
      </a>
    </p>
  </>
);

const Steps = ({ site }: { site: Site }) => {
  const within = `within ${soon(site.anchorSeconds ?? 60)}`;
  return (
    <ol class="steps">
      {step(
        'Written',
      )`You seal “It snows here before Christmas.” Readers see a description, your name and the day.`}
      {isDevnet(site)
        ? step('Anchored')`
            A fingerprint of your words goes to the development chain of this service ${within}. Its operator can
            rewrite that chain, so it proves nothing to strangers.
          `
        : step('Anchored')`
            A fingerprint of your words goes to the blockchain ${safe(site.chain.name)} ${within}. Then neither text nor time
            can change unnoticed.
          `}
      {step('Opened')`The service opens the words on 25 December, right or wrong.`}
      {step(
        'Verified',
      )`Anyone can compare the words with the chain, also without this service. [How to verify](/verify/how)`}
    </ol>
  );
};

const step =
  (title: string) =>
  (...text: Parameters<typeof say>) => (
    <li>
      <h3>{title}</h3>
      <p>{say(...text)}</p>
    </li>
  );
