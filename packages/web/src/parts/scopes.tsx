import type { DatedScope, ScopeHistory } from '@svc/protocol/conventions';
import { Day, Text, TextLink } from './values.tsx';

export interface ShownScope {
  declared: DatedScope;
  history: ScopeHistory;
}

export function Scopes({ scopes }: { scopes: readonly ShownScope[] }) {
  if (scopes.length === 0) return null;
  return (
    <ul class="scopes">
      {scopes.map(({ declared, history: { state, by, detail, current } }) => (
        <li>
          Declared complete: <TextLink href={`/e/${declared.etch}`}>{declared.words.subject}</TextLink>,{' '}
          <On scope={declared} />
          {by !== null && (
            <>
              , <a href={`/e/${by.etch}`}>{state}</a> <On scope={by} />
              {detail !== null && `: ${detail}`}
            </>
          )}
          . The scope lists this account
          {current.words.accounts.map(({ username }) => (
            <>
              , <a href={`/u/${username}`}>@{username}</a>
            </>
          ))}
          {current.words.domain !== null && (
            <>
              {' '}
              and the domain <Text>{current.words.domain}</Text>
            </>
          )}
          . <code>svc audit --scope {declared.etch}</code> checks each account.
        </li>
      ))}
    </ul>
  );
}

function On({ scope: { anchored_at: at } }: { scope: DatedScope }) {
  return at === null ? (
    <>not anchored yet</>
  ) : (
    <>
      on <Day at={at} />
    </>
  );
}
