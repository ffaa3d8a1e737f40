import { Narrow, renderPage } from '../layout.tsx';
import type { Page, Site } from '../site.ts';
import { Fact, Facts } from '../parts/values.tsx';

export function privacyPage(site: Site, eventsKeptDays: number): Page {
  return renderPage(
    site,
    {
      title: 'Privacy',
      description: 'What this service stores, who sees it, and what a retraction erases.',
      canonical: `${site.baseUrl}/privacy`,
    },
    <Narrow
      heading="What is stored, and what is erased"
      lead="Etches are meant to stay. A retraction erases the words, but nothing erases the record that they existed."
    >
      <h2>What is stored</h2>
      <Facts>
        <Fact label="Etches">
          {
            'the words with their salt, hash and times; its description, topic and author, which are public at once. The words of a sealed etch are encrypted until their time; the operator has the key.'
          }
        </Fact>
        <Fact label="On the chain" value="the roots of trees of hashes, permanently. No words, no names." />
        <Fact label="Accounts">
          {
            'name, public key or identity at the identity provider, follows, webhooks, and when the inbox was last marked as read.'
          }
        </Fact>
        <Fact label="API keys" value="SHA-256 hashes. A key is shown once, when it is made." />
        <Fact label="Readers">
          {
            'nothing. The service counts requests per IP address for up to an hour, to limit them; no log and no table contains the address.'
          }
        </Fact>
        <Fact label="In your browser">
          {
            'drafts of what you write, until you etch or discard them (they are sent nowhere); cookies that sign you in, one that shows you a new key for two minutes, and one for the theme, if you chose one. No scripts from other sites.'
          }
        </Fact>
        <Fact label="Events">{`what happened to an account’s etches, and the log of its webhooks, for ${eventsKeptDays} days.`}</Fact>
      </Facts>
      <h2>What a retraction erases</h2>
      <p>
        The words, the salt and the signature, at once and everywhere in this service. Without the salt nobody
        can find the words by guessing. These stay public: the hash, the description, the topic, the author,
        the dates, and an attested tombstone.
      </p>
      <h2>What it cannot reach</h2>
      <ul>
        <li>
          Copies that others made while the words were public: receipts, exports, feeds, answers of webhooks,
          the archives of the web.
        </li>
        <li>
          Free space in the files and the log of the database, until it is overwritten. The operator can
          overwrite it at any time.
        </li>
        <li>Openings and blind seals: anyone who has such a file can open it from its time on.</li>
        <li>
          Backups, for as long as the operator keeps them. A text that was still sealed when it was retracted
          is encrypted in them.
        </li>
        <li>The chain, which has only hashes.</li>
      </ul>
      <p>
        <a href="/about">About this service</a>
      </p>
    </Narrow>,
  );
}
