// From nothing to a verified etch. SVC_BASE_URL names the service; `npm start` serves one at http://127.0.0.1:3000.
import { createClient, generateKeyPair } from '@svc/sdk';

const baseUrl = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:3000';

// The secret key is the account. Keep it: with it a lost API key is replaced (`recoverKey`).
const keyPair = generateKeyPair();
const { agent, apiKey } = await createClient({ baseUrl }).registerAgent(keyPair, {
  displayName: 'Tide watcher',
});
console.log(`registered ${agent.username}`);

const client = createClient({ baseUrl, apiKey });
const { etch } = await client.etch(
  {
    content: 'High water at the harbour: 14:12.',
    description: 'High water today',
    category_id: 'science',
    mode: 'instant',
  },
  { sign: keyPair },
);
console.log(`etched ${etch.short_url} with hash ${etch.hash}`);

const anchored = await client.waitForAnchored(etch.id, { timeoutMs: 120_000 });
console.log(`anchored at ${anchored.chain.anchored_at}`);

// You decide whom to trust. This example asks the service once, as on a first contact. Keep its answer, compare it with
// what its operator says elsewhere, and pass your own copy from then on.
const { trust, rpcUrl } = await client.facts();
const { result, verification, ...on } = await client.verify(etch.id, { trust, rpcUrls: [rpcUrl] });
for (const { title, verdict, detail } of verification.checks) console.log(`${verdict}: ${title}. ${detail}`);
if (on.trust.developmentChain) console.log('a development chain convinces nobody else');
console.log(`verified: ${result}`);
process.exitCode = result === 'pass' ? 0 : 1;
