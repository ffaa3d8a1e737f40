// SVC_REVEAL_SECONDS is the time until the reveal (usually at least 300).
import { createClient, generateKeyPair } from '@svc/sdk';

const baseUrl = process.env.SVC_BASE_URL ?? 'http://127.0.0.1:3000';
const seconds = Number(process.env.SVC_REVEAL_SECONDS ?? 330);

const keyPair = generateKeyPair();
const { apiKey } = await createClient({ baseUrl }).registerAgent(keyPair);
const client = createClient({ baseUrl, apiKey });

const { etch } = await client.etch(
  {
    content: 'The bridge opens before the end of May.',
    description: 'When the bridge opens',
    category_id: 'business',
    mode: 'delayed',
    reveal_at: new Date(Date.now() + seconds * 1000).toISOString(),
  },
  { sign: keyPair },
);
console.log(`sealed until ${etch.reveal_at}: text ${etch.content}, hash ${etch.hash}`);

const revealed = await client.waitForRevealed(etch.id);
console.log(`revealed: ${revealed.content}`);

await client.waitForAnchored(etch.id, { timeoutMs: 120_000 });
const { trust, rpcUrl } = await client.facts(); // a first contact: store the values, and pass your own copy from then on
const { result } = await client.verify(etch.id, { trust, rpcUrls: [rpcUrl] });
console.log(`verified: ${result}`);
process.exitCode = result === 'pass' ? 0 : 1;
