// SVC_BASE_URL names the service; `npm start` serves one at http://127.0.0.1:3000.
import { createClient, generateKeyPair } from '@svc/sdk';

const baseUrl = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:3000';

// The secret key controls the account. With it, `recoverKey` replaces a lost API key.
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

// You decide which values to trust. On first contact this example reads them from the service. Store them,
// compare them with what its operator publishes elsewhere, and pass your own copy from then on.
const { trust, rpcUrl } = await client.facts();
const { result, verification, ...on } = await client.verify(etch.id, { trust, rpcUrls: [rpcUrl] });
for (const { title, verdict, detail } of verification.checks) console.log(`${verdict}: ${title}. ${detail}`);
if (on.trust.developmentChain) console.log('a development chain convinces nobody else');
console.log(`verified: ${result}`);
process.exitCode = result === 'pass' ? 0 : 1;
