import { spanText } from '@svc/web/format';
import { narrowPage } from '@svc/web/layout';
import { prose } from '@svc/web/parts/prose';
import { facts } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import { EVENTS_KEPT_DAYS } from '../../events/event-store.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { COOKIE_SECONDS, cookieNames, siteFor } from './site.ts';

export function mountPrivacyPage(app: FastifyInstance, deps: HttpDependencies): void {
  const { identity, guide } = deps.config;
  app.get('/privacy', async (request) =>
    privacyPage(siteFor(deps, request), {
      eventsKeptDays: EVENTS_KEPT_DAYS,
      sessionSeconds: identity.sessionMaxSeconds,
      hasIssuer: identity.embedded,
      hasGuide: guide.enabled,
    }),
  );
}

interface PrivacyData {
  eventsKeptDays: number;
  sessionSeconds: number;
  /** whether the built-in identity provider runs, which sets further cookies */
  hasIssuer: boolean;
  hasGuide: boolean;
}

export function privacyPage(site: Site, data: PrivacyData): Page {
  return narrowPage(
    site,
    {
      title: 'Privacy',
      heading: 'Privacy: stored and erased data',
      description: 'What this service stores, who sees it, and what a retraction erases.',
      lead: 'Etches are meant to stay. A retraction erases the words. Their hash and an attested tombstone stay public.',
      canonical: `${site.baseUrl}/privacy`,
    },
    <h2>What is stored</h2>,
    facts(
      [
        'Etches',
        'the words with their salt, hash and times; its description, topic and author, which are public at once. The words of a sealed etch are encrypted until their time. The operator has the key, but not of a blind seal.',
      ],
      ['On the chain', 'the roots of trees of hashes, permanently. No words, no names.'],
      [
        'Accounts',
        'name, public key or identity at the identity provider, linked social account or domain, follows, webhooks, and when the inbox was last marked as read.',
      ],
      ['Sessions', 'the tokens of the identity provider, encrypted, until you sign out or the session ends.'],
      [
        'API keys',
        'SHA-256 hashes, with the name, the first characters and the last use of each key. A key is shown once, when it is made.',
      ],
      [
        'Readers',
        'The service does not store what readers read. It counts the requests of each IP address for up to an hour, to limit them, and writes the address into no log and no table.',
      ],
      [
        'The guide',
        data.hasGuide &&
          'questions and answers, with the account or, signed out, with the random key that the program sent.',
      ],
      [
        'In your browser',
        'drafts of what you write, until you publish or discard them; the checkpoints of records that you checked; until you close the tab, the names, hashes and salts of files that you added, and the etch that you sent last. Pages load no scripts from other sites.',
      ],
      [
        'Events',
        `what happened to an account’s etches, and the log of its webhooks, for ${data.eventsKeptDays} days.`,
      ],
    ),
    <h2 id="cookies">Cookies</h2>,
    <p>
      Browsers send these cookies only to {new URL(site.baseUrl).hostname}, and no script can read them. A
      reader who does nothing gets none.
    </p>,
    <ul>
      {cookies(site, data).map(([name, text]) => (
        <li>
          <code>{name}</code> {text}
        </li>
      ))}
    </ul>,
    prose`
      ## What a retraction erases

      The words, the salt and the signature, at once and everywhere in this service. Without the salt, a
      guess cannot be compared with the hash. These stay public: the hash, the description, the topic, the author, the
      dates, and an attested tombstone.

      ## What it cannot reach

      - Copies that others made while the words were public: receipts, exports, feeds, answers of webhooks, the
        archives of the web.
      - Deleted data can stay in the files and the log of the database until other data overwrites it. The
        operator can overwrite it at any time.
      - An opening that you saved: anyone who has the file can open it from its time on.
      - A copy of a blind seal: anyone can open it from its time on.
      - Backups, for as long as the operator keeps them. A text that was still sealed when it was retracted is
        encrypted in them.
      - The chain, which has only hashes.

      ## Closing an account

      No account can be deleted, because its record must leave nothing out. You can retract every etch, revoke keys,
      remove webhooks and change the display name. For anything else, ask [the operator](/about).
    `,
  );
}

function cookies({ baseUrl }: Site, { sessionSeconds, hasIssuer }: PrivacyData): [string, string][] {
  const names = cookieNames(baseUrl);
  const lasts = (seconds: number): string => spanText(seconds * 1000);
  return [
    [names.session, `signs you in, for at most ${lasts(sessionSeconds)}.`],
    [names.signIn, `is needed while you sign in, for ${lasts(COOKIE_SECONDS.signIn)}.`],
    [
      names.leaving,
      `lets you sign out at the identity provider too, for ${lasts(COOKIE_SECONDS.leaving)} after you sign out here.`,
    ],
    [names.once, `shows you a new key or secret once, encrypted, for ${lasts(COOKIE_SECONDS.once)}.`],
    [
      names.etched,
      `removes the draft that you etched from your browser, for ${lasts(COOKIE_SECONDS.etched)}.`,
    ],
    [
      names.drafts.join(', '),
      `have what you wrote before you signed in, encrypted, for ${lasts(COOKIE_SECONDS.drafts)} or until you etch it.`,
    ],
    [names.theme, `is the theme, if you chose one, for ${lasts(COOKIE_SECONDS.theme)}.`],
    ...(hasIssuer ? ISSUER_COOKIES : []),
  ];
}

/** The library oidc-provider sets them. */
const ISSUER_COOKIES: [string, string][] = [
  [
    '_session, _interaction, _interaction_resume',
    'belong to the built-in sign-in for trials; each has a signature (.sig).',
  ],
];
