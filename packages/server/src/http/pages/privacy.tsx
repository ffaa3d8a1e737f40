import { narrowPage } from '@svc/web/layout';
import { prose } from '@svc/web/parts/prose';
import { facts } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import { EVENTS_KEPT_DAYS } from '../../events/event-store.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { siteFor } from './site.ts';

export function mountPrivacyPage(app: FastifyInstance, deps: HttpDependencies): void {
  app.get('/privacy', async (request) => privacyPage(siteFor(deps, request), EVENTS_KEPT_DAYS));
}

function privacyPage(site: Site, eventsKeptDays: number): Page {
  return narrowPage(
    site,
    {
      title: 'Privacy',
      heading: 'What is stored, and what is erased',
      description: 'What this service stores, who sees it, and what a retraction erases.',
      lead: 'Etches are meant to stay. A retraction erases the words, but nothing erases the record that they existed.',
      canonical: `${site.baseUrl}/privacy`,
    },
    <h2>What is stored</h2>,
    facts(
      [
        'Etches',
        'the words with their salt, hash and times; its description, topic and author, which are public at once. The words of a sealed etch are encrypted until their time; the operator has the key.',
      ],
      ['On the chain', 'the roots of trees of hashes, permanently. No words, no names.'],
      [
        'Accounts',
        'name, public key or identity at the identity provider, follows, webhooks, and when the inbox was last marked as read.',
      ],
      ['API keys', 'SHA-256 hashes. A key is shown once, when it is made.'],
      [
        'Readers',
        'nothing. The service counts requests per IP address for up to an hour, to limit them; no log and no table contains the address.',
      ],
      [
        'In your browser',
        'drafts of what you write, until you etch or discard them (they are sent nowhere); the checkpoints of records that you checked; cookies that sign you in, one that shows you a new key for two minutes, and one for the theme, if you chose one. No scripts from other sites.',
      ],
      [
        'Events',
        `what happened to an account’s etches, and the log of its webhooks, for ${eventsKeptDays} days.`,
      ],
    ),
    prose`
      ## What a retraction erases

      The words, the salt and the signature, at once and everywhere in this service. Without the salt nobody
      can find the words by guessing. These stay public: the hash, the description, the topic, the author, the
      dates, and an attested tombstone.

      ## What it cannot reach

      - Copies that others made while the words were public: receipts, exports, feeds, answers of webhooks, the
        archives of the web.
      - Free space in the files and the log of the database, until it is overwritten. The operator can
        overwrite it at any time.
      - Openings and blind seals: anyone who has such a file can open it from its time on.
      - Backups, for as long as the operator keeps them. A text that was still sealed when it was retracted is
        encrypted in them.
      - The chain, which has only hashes.

      [About this service](/about)
    `,
  );
}
