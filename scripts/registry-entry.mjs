// The entry of svc-mcp for the registry of MCP servers. Its name must belong to who publishes it, so a release derives the name
// from the address of the repository: the account at GitHub or GitLab, or the reversed host.
import { readJson } from './prerequisites/run.mjs';

const HOSTS = { 'github.com': 'github', 'gitlab.com': 'gitlab' };

export function registryName(repository) {
  const { hostname, pathname } = new URL(repository);
  const [, owner] = pathname.split('/');
  // The account proves io.gitlab.<owner> by a file at <owner>.gitlab.io; only GitLab could prove com.gitlab.
  const account = HOSTS[hostname] && `io.${HOSTS[hostname]}.${owner}`;
  const namespace = account ?? hostname.split('.').toReversed().join('.');
  return `${namespace}/svc-mcp`;
}

/** @param underScope gives a text with our package names those of the publisher */
export function registryEntry(repository, underScope) {
  const {
    $schema,
    name: _,
    ...entry
  } = JSON.parse(underScope(JSON.stringify(readJson('packages/mcp/server.json'))));
  const source = HOSTS[new URL(repository).hostname];
  return {
    $schema,
    name: registryName(repository),
    ...entry,
    ...(source && { repository: { url: repository, source, subfolder: 'packages/mcp' } }),
  };
}
