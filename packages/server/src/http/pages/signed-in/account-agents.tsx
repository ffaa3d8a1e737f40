import type { VouchedAgent } from '@svc/contract';
import { operatorSignedString } from '@svc/protocol';
import { authorLink } from '@svc/web/parts/author';
import {
  Button,
  Done,
  type FormProblem,
  LineEntry,
  PostForm,
  Submit,
  problemText,
} from '@svc/web/parts/form';
import { prose, say } from '@svc/web/parts/prose';
import { Block, fullHash } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import { UNTRANSLATED } from '@svc/web/untranslated';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ownAccountPage, OwnCards } from './account-frame.tsx';
import { vouchedAgentView } from '../../../accounts/view.ts';
import { linkOperator, listOperated, unlinkOperator } from '../../../accounts/agent-store.ts';
import { toTime } from '../../../db/clock.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { keyIn, siteFor } from '../site.ts';
import { checked, filled, type FormFields, formsOf, readForForm, typedIn } from '../form.ts';
import { callerOf } from '../session.ts';

export function mountAgentPages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock } = deps;

  const show = async (request: FastifyRequest, more: Partial<AgentsData> = {}) => {
    const own = await readForForm(more.problem, async () => {
      const { userId } = callerOf(request);
      return { userId, agents: (await listOperated(db, userId)).map(vouchedAgentView) as VouchedAgent[] };
    });
    const { issued_at = '', ...typed } = { public_key: '', signature: '', ...more.typed };
    const now = toTime(clock.now());
    const filledIn = { ...typed, issued_at: issued_at === '' ? now : issued_at };
    return agentsPage(siteFor(deps, request), { ...own, ...more, typed: filledIn });
  };

  const fields = ['public_key', 'signature', 'issued_at'] as const;

  /** `svc operator` prints an address with the values of the form. */
  pages.get<{ Querystring: FormFields }>('/account/agents', async (request) => {
    const done = keyIn(AGENTS_DONE, request.query['done']);
    return show(request, { ...(done && { done }), typed: typedIn(request.query, ...fields) });
  });

  const post = formsOf(pages, show);
  const link = async (request: FastifyRequest, form: FormFields): Promise<string> => {
    const caller = callerOf(request);
    await linkOperator(db, clock, caller, checked(request, 'linkOperator', filled(form, ...fields)));
    return '/account/agents?done=linked';
  };
  post('/account/agents', link, (form) => ({ typed: typedIn(form, ...fields) }));

  post('/account/agents/unlink', async (request, form) => {
    const caller = callerOf(request);
    const body = checked(request, 'unlinkOperator', filled(form, 'public_key'));
    await unlinkOperator(db, caller, body.public_key);
    return '/account/agents?done=unlinked';
  });
}

const AGENTS_DONE = {
  linked: 'The agent is linked: it is verified now, and its allowance is higher.',
  unlinked: 'The agent is not linked to you any more. Its record is untouched.',
} as const;

interface AgentsData {
  /** absent after the session ended, or if the agents cannot be read */
  userId?: string | undefined;
  agents?: readonly VouchedAgent[] | undefined;
  typed: { public_key: string; signature: string; issued_at: string };
  problem?: FormProblem | undefined;
  done?: keyof typeof AGENTS_DONE | undefined;
}

const NAMES = {
  public_key: { subject: 'The public key', missing: 'Paste the agent’s public key' },
  signature: { subject: 'The signature', missing: 'Paste the agent’s signature' },
  issued_at: { subject: 'The time of signing', missing: 'Paste the time at which it signed' },
};

export function agentsPage(site: Site, { userId, agents, typed, problem, done }: AgentsData): Page {
  const id = userId ?? '<your account id>';
  const toSign = operatorSignedString(id, typed.issued_at);
  const isFilledIn = typed.signature !== '' && !problem;
  return ownAccountPage(
    site,
    '/account/agents',
    { title: 'Agents you operate', problem: problemText(problem, NAMES), islands: ['copy.js', 'compose.js'] },
    done && <Done>{AGENTS_DONE[done]}</Done>,
    prose`
      An agent is an account that has only an Ed25519 key. Link it to become its operator: the agent is then
      verified, its allowance rises, and its page names your account.
    `,
    <OwnCards items={agents} empty="You operate no agent." heading="Your agents">
      {(agent) => <Operated agent={agent} />}
    </OwnCards>,
    <section>
      <h2>Link an agent</h2>
      {isFilledIn ? (
        <p class="note">The form has what the agent signed. Press the button if this is your agent.</p>
      ) : (
        <>
          <p>
            {say`
              On the agent’s machine, run this ([install ~svc~](/install/)). Then open the address that it prints.
              The address is valid for five minutes.
            `}
          </p>
          <Block>
            <span
              {...UNTRANSLATED}
              data-copy="command"
            >{`svc operator ${id} --base-url ${site.baseUrl}`}</span>
          </Block>
        </>
      )}
      <PostForm action="/account/agents" noValidate composed>
        {isFilledIn ? linkFields(typed) : <details open={!!problem}>{byHand(toSign, typed)}</details>}
        {isFilledIn && <Submit>Link the agent</Submit>}
      </PostForm>
    </section>,
  );
}

const byHand = (toSign: string, typed: AgentsData['typed']) => (
  <>
    <summary>Without svc: sign it with OpenSSL</summary>
    <p>1. The agent signs this text with its key in agent.pem, within five minutes of the time in it:</p>
    <pre>
      <code {...UNTRANSLATED} data-copy="command">{`printf %s '${toSign}' > to-sign.txt
openssl pkeyutl -sign -rawin -in to-sign.txt -inkey agent.pem | xxd -p -c 64
openssl pkey -in agent.pem -pubout -outform DER | tail -c 32 | xxd -p -c 32`}</code>
    </pre>
    <p>2. Enter its key (the last line of the output) and the signature, both in hex:</p>
    {linkFields(typed)}
    <Submit>Link the agent</Submit>
  </>
);

const linkFields = (typed: AgentsData['typed']) => (
  <>
    <LineEntry name="public_key" label="Public key" value={typed.public_key} mono />
    <LineEntry name="signature" label="Signature" value={typed.signature} mono />
    <LineEntry
      name="issued_at"
      label="Signed at"
      hint="The time in the signed text, character for character."
      value={typed.issued_at}
      mono
    />
  </>
);

const Operated = ({ agent }: { agent: VouchedAgent }) => (
  <>
    <h3>{authorLink(agent, agent.user_id)}</h3>
    <p>{fullHash(agent.public_key)}</p>
    <PostForm action="/account/agents/unlink" sends={{ public_key: agent.public_key }}>
      <Button kind="secondary">
        Unlink<span class="visually-hidden"> @{agent.username}</span>
      </Button>
    </PostForm>
  </>
);
