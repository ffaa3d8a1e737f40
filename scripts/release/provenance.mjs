/** in-toto statement (https://in-toto.io/Statement/v1), SLSA v1, unsigned. */
export function provenance(tarballs, { repository, commit, scope, version, node }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: tarballs.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/${commit}/scripts/release.mjs`,
        externalParameters: { scope, version },
        resolvedDependencies: [{ uri: `git+${repository}`, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: `node ${node}` } },
    },
  };
}
