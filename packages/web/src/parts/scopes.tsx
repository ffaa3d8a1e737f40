import type { DatedScope, ScopeHistory } from '@svc/protocol/conventions';
import { onDay, safe, safeLink } from './values.tsx';

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
          Declared complete: {safeLink(`/e/${declared.etch}`, declared.words.subject)},{' '}
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
          {current.words.domain !== null && <> and the domain {safe(current.words.domain)}</>}.{' '}
          <code>svc audit --scope {declared.etch}</code> checks each account.
        </li>
      ))}
    </ul>
  );
}

function On({ scope: { anchored_at: at } }: { scope: DatedScope }) {
  return at === null ? <>not anchored yet</> : <>on {onDay(at)}</>;
}
