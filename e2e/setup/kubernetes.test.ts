import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../packages/server/src/settings/read-config.ts';
import { SETTINGS } from '../../packages/server/src/settings/settings.ts';
import type { Json } from '../../testing/json.ts';
import { read } from '../../testing/repository.ts';

const objects = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document) => {
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
});
const only = (kind: string): Json => {
  const found = objects.filter((one) => one.kind === kind);
  expect(found, kind).toHaveLength(1);
  return found[0];
};
const pod = only('Deployment').spec.template.spec;
const [container] = pod.containers as Json[];
const inImage = new Map(
  [...read('Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
    line!.split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
);

test('names existing settings only, secrets in the Secret, and production starts with them', () => {
  const [open, secret] = [only('ConfigMap').data, only('Secret').stringData] as Record<string, string>[];
  const names = [...Object.keys(open!), ...Object.keys(secret!)];
  expect(names.filter((name) => !(name in SETTINGS))).toEqual([]);
  const isSecret = (name: string) => SETTINGS[name as keyof typeof SETTINGS].secret === true;
  expect(Object.keys(secret!).filter((name) => !isSecret(name))).toEqual([]);
  expect(Object.keys(open!).filter(isSecret)).toEqual([]);
  expect(Object.keys(open!).filter((name) => inImage.has(name) && name !== 'NODE_ENV')).toEqual([]);
  // An example must not start with a published key.
  const environment = { ...Object.fromEntries(inImage), ...open, ...secret };
  expect(() => readConfig(environment)).toThrow(
    /SECRET_KEYS[^]*RELAYER_PRIVATE_KEY|RELAYER_PRIVATE_KEY[^]*SECRET_KEYS/,
  );
  const filled = { SECRET_KEYS: 'ab'.repeat(32), RELAYER_PRIVATE_KEY: `0x${'12'.repeat(32)}` };
  expect(readConfig({ ...environment, ...filled })).toMatchObject({ production: true });
});

test('asks the paths of docs/operating/monitoring.md at the port of the image', () => {
  const { startupProbe, livenessProbe, readinessProbe, ports } = container!;
  expect(ports).toEqual([{ name: 'http', containerPort: Number(inImage.get('PORT')) }]);
  const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
  expect(paths).toEqual(['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'http' })));
  for (const { path } of paths) expect(read('docs/operating/monitoring.md')).toContain(`\`${path}\`: `);
  expect(only('Service').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  const labels = only('Deployment').spec.template.metadata.labels;
  expect([only('Service').spec.selector, only('Deployment').spec.selector.matchLabels]).toEqual([
    labels,
    labels,
  ]);
});

test('mounts a claim at each folder that the service writes, and nothing else is writable', () => {
  const { dataDir, erasureLedger } = readConfig({
    DATA_DIR: inImage.get('DATA_DIR'),
    LEDGER_DIR: only('ConfigMap').data.LEDGER_DIR,
  });
  const mounted = new Map<string, string>(
    container!.volumeMounts.map(({ name, mountPath }: Json) => [mountPath, name]),
  );
  const claims = objects
    .filter(({ kind }) => kind === 'PersistentVolumeClaim')
    .map(({ metadata }) => metadata.name);
  for (const folder of [dataDir, join(erasureLedger, '..')]) {
    const volume = pod.volumes.find(({ name }: Json) => name === mounted.get(folder));
    expect(claims, folder).toContain(volume?.persistentVolumeClaim?.claimName);
    expect(read('Dockerfile')).toMatch(new RegExp(`chown node:node [^&]*${folder}\\b`));
  }
  expect([...mounted.keys()].sort()).toEqual(['/data', '/erasures', '/tmp']);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
  expect(container!.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  // Two pods cannot share the claims.
  expect(only('Deployment').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
});
