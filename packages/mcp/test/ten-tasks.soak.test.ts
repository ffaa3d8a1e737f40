import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { createClient } from '@svc/sdk';
import { expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { inSeconds, PATIENCE_MS } from '../../../testing/wait.ts';
import { pinsOf, useStdio } from './support/stdio.ts';
import { text, withoutUntrusted } from './support/tools.ts';

const service = useSharedService();
const { connect } = useStdio(service);
const validator = new AjvJsonSchemaValidator();

async function pins(): Promise<Record<string, string>> {
  const { trust } = await createClient({ baseUrl: service.url }).facts();
  return { ...pinsOf(trust), SVC_RPC_URL: `${service.url}/rpc` };
}

/** Finds a tool by the words of the task, and sends only what the listed schema allows. */
async function plainClient() {
  const { client, call, refusal } = await connect(await pins());
  const { tools } = await client.listTools();
  return {
    refusal,
    /** @param words of the tool's title or description */
    use: async (name: string, words: RegExp, input: Record<string, unknown>) => {
      const tool = tools.find((listed) => listed.name === name)!;
      expect(`${tool.title}. ${tool.description}`).toMatch(words);
      expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(
        expect.arrayContaining(Object.keys(input)),
      );
      expect(validator.getValidator(tool.inputSchema as object)(input)).toMatchObject({ valid: true });
      return call(name, input);
    },
    /** As the description of the tool says. */
    async waitFor(input: { id: string; until: 'anchored' | 'revealed' }) {
      await expect
        .poll(async () => (await this.use('wait', /Waits until.*call it again/s, input)).done, {
          timeout: PATIENCE_MS,
        })
        .toBe(true);
    },
  };
}

test('ten tasks succeed with only the descriptions of the tools', async () => {
  const [ada, bo] = [await plainClient(), await plainClient()];
  await ada.use('register', /Creates an account/, { display_name: 'Ada' });
  await bo.use('register', /Creates an account/, { display_name: 'Bo' });

  // 1. Etch a sentence.
  const etched = (await ada.use('etch', /Publishes a text permanently/, text)).etch;
  expect(etched.facts.status).toBe('revealed');
  const { id, author } = etched.facts;
  const { username } = etched.untrusted;

  // 2. Seal a prediction until Friday.
  const friday = new Date();
  friday.setUTCHours(24 * (((12 - friday.getUTCDay()) % 7) + 1), 0, 0, 0);
  const sealed = await ada.use('seal', /hides it until reveal_at/, {
    ...text,
    reveal_at: friday.toISOString(),
  });
  expect(sealed.etch.facts).toMatchObject({ status: 'sealed', reveal_at: friday.toISOString() });

  // 3. Enter a yes/no challenge with 70 %.
  const asked = await bo.use('ask_challenge', /scored as forecasts, end the question with \[yes\|no\]/, {
    question: 'Does the heron come back? [yes|no]',
    topic: 'science',
    reveal_at: inSeconds(20),
  });
  const challenge_id = asked.challenge.facts.id as string;
  const odds = { challenge_id, forecast: 'yes=0.7', reasoning: 'It came back every day.' };
  const entry = (await ada.use('forecast', /With challenge_id it answers that challenge/, odds)).etch.facts;
  expect(entry).toMatchObject({ status: 'sealed', challenge_id });

  // 4. Verify a receipt. 5. Wait for the anchor.
  await ada.waitFor({ id, until: 'anchored' });
  const kept = await ada.use('receipt', /anyone can check an etch/, { id });
  expect(kept.untrusted.receipt).toMatchObject({ etch_id: id });
  expect((await ada.use('verify', /Downloads the receipt and checks/, { id })).result).toBe('pass');

  // 6. Resolve the challenge.
  const outcome = { id: challenge_id, outcome: 'yes', source: 'https://example.org/herons' };
  const early = await bo.refusal('resolve', outcome);
  expect(early).toMatchObject({
    code: 'malformed_words',
    message: expect.stringContaining('nothing was etched'),
  });
  await ada.waitFor({ id: entry.id, until: 'revealed' });
  const words = /States the outcome of a challenge/;
  const made = (await bo.use('resolve', words, outcome)).etch;
  expect(made.untrusted.content).toBe(`svc-resolution:v1 ${challenge_id} yes https://example.org/herons`);

  // 7. Score.
  await bo.waitFor({ id: made.facts.id, until: 'anchored' });
  const { standings } = await ada.use('score', /standings of a challenge/, { challenge_id });
  expect(standings[0]).toMatchObject({ facts: { state: 'scored' }, untrusted: { username } });

  // 8. List the events.
  const list = () => ada.use('events', /what happened to your etches/, { limit: 50 });
  const types = async () => (await list()).events.map(({ type }: any) => type);
  const happened = ['etch.anchored', 'challenge.closed', 'etch.revealed', 'challenge.resolved'];
  await expect.poll(types, { timeout: PATIENCE_MS }).toEqual(expect.arrayContaining(happened));
  const { events, page } = await list();
  expect(withoutUntrusted(events)).not.toContain('heron');
  const later = await ada.use('events', /give it as cursor/, { cursor: page.next_cursor });
  expect(later.events.length).toBeLessThan(events.length);

  // 9. Search accounts. 10. Audit someone.
  const found = await bo.use('search_accounts', /Searches people and agents/, { q: `@${username}` });
  expect(found.accounts[0].facts.user_id).toBe(author.user_id);
  const judged = await bo.use('audit', /leaves nothing out/, { username });
  expect(judged).toMatchObject({ result: 'pass', faults: [], untrusted: { username } });
  expect(judged.counts.shown).toBeGreaterThan(0);
});

test('a forecast outside challenges is made, sealed or public, and resolved by its author', async () => {
  const { use, refusal } = await plainClient();
  await use('register', /Creates an account/, {});
  const odds = { forecast: 'q10=3 q50=5 q90=9', description: 'Herons in May', topic: 'science' };
  expect(await refusal('forecast', { forecast: odds.forecast })).toMatchObject({ code: 'bad_input' });
  expect(await refusal('forecast', { ...odds, forecast: '70%' })).toMatchObject({ code: 'malformed_words' });
  const later = await use('forecast', /reveal_at to seal it/, { ...odds, reveal_at: inSeconds(3600) });
  expect(later.etch.facts.status).toBe('sealed');
  const { etch } = await use('forecast', /scored once it is resolved/, odds);
  expect(etch.untrusted.content).toBe('svc-forecast:v1 q10=3 q50=5 q90=9');
  const outcome = { id: etch.facts.code, outcome: '4', source: 'my own count' };
  const resolved = (await use('resolve', /a forecast that you made/, outcome)).etch;
  expect(resolved.untrusted.description).toBe(`svc-resolution:v1 ${etch.facts.id}`);
});
