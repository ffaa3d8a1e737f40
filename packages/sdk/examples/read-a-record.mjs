// Reads public records page by page, without an account.
import { createClient } from '@svc/sdk';

const client = createClient({ baseUrl: process.env.SVC_BASE_URL ?? 'http://127.0.0.1:3000' });

const authors = new Set();
for await (const etch of client.search({ status: ['revealed'], sort: 'newest' })) {
  authors.add(etch.author.username);
  if (authors.size === 3) break; // pages are fetched on demand
}

for (const username of authors) {
  const { counts } = await client.record(username).first();
  console.log(`${username}: ${counts.total} etches, ${counts.sealed_pending_reveal} sealed`);
  for await (const { created_on, description, status } of client.record(username, { limit: 100 }))
    console.log(`  ${created_on} ${status}: ${description}`);
}
