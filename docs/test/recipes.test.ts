import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { createClient, generateKeyPair } from '@svc/sdk';
import { expect, test } from 'vitest';
import { ends } from '../../testing/clients/ends.ts';
import { freshHome, svc } from '../../testing/clients/svc.ts';
import { install } from '../../testing/machine/packed.ts';
import { startServer } from '../../testing/machine/server.ts';
import { read, root } from '../../testing/repository.ts';
import { NO_REGISTRY } from '../../testing/system/program-journey.ts';
import { useSharedService } from '../../testing/system/running-service.ts';

const service = useSharedService();
const SHOWN_SERVICE = 'https://svc.example.org';

test('svc from the service sends each new event once: by the line for cron to Slack, to Discord and to Matrix', async () => {
  const [line, more] = [...read('docs/webhooks.md').matchAll(/^(?:\*\/5|\d+)(?: \S+){4} (.+)$/gm)].map(
    ([, command]) => command!,
  );
  expect(more).toBeUndefined();
  // Cron reads a percent sign as a line end.
  expect(line).not.toContain('%');
  const got: { url: string; words: string }[] = [];
  const product = await startServer((request, response) => {
    void text(request).then((sent) => {
      const { text: slack, content: discord, body: matrix } = JSON.parse(sent);
      const [words] = (slack ?? discord ?? matrix).split('\n');
      got.push({ url: request.url!, words });
      response.end('ok');
    });
  });
  const place = await install([`${service.url}/install/svc-cli.tgz`], NO_REGISTRY);
  const home = freshHome();
  const env = { SVC_BASE_URL: service.url };
  await ends(svc(['register'], { home, env }), 0);
  cpSync(join(home, 'svc'), join(home, '.config/svc'), { recursive: true });
  mkdirSync(join(home, '.cache'));
  writeFileSync(join(home, '.config/slack-url'), `${product.url}/services/T0/B0/secret\n`, { mode: 0o600 });
  const programs = `${join(place.folder, 'node_modules/.bin')}:${dirname(process.execPath)}`;
  /** As cron runs a line. */
  const runLine = (command: string, more: Record<string, string> = {}) =>
    promisify(execFile)('/bin/sh', ['-c', command], {
      cwd: home,
      env: { HOME: home, SHELL: '/bin/sh', PATH: `${programs}:/usr/bin:/bin`, ...more },
    });
  const other = { SVC_FORWARD_URL: product.url, SVC_FORWARD_TOKEN: 'syt_token' };
  const run = async () => {
    await runLine(line!);
    for (const to of ['discord', "matrix --room '!abc:example.org'"])
      await runLine(`svc webhooks forward --once --cursor-file ${to.slice(0, 7)} --to ${to}`, other);
  };
  try {
    await run();
    expect(got).toEqual([]);
    const made = ['etch', 'High water.', '--description', 'A tide & more', '--wait', '--timeout', '120'];
    await ends(svc(made, { home, env }), 0);
    await run();
    await run();
    expect(got).toEqual([
      { url: '/services/T0/B0/secret', words: 'An etch is anchored: A tide &amp; more' },
      { url: '/', words: 'An etch is anchored: A tide & more' },
      {
        url: expect.stringContaining('/rooms/!abc%3Aexample.org/send/') as string,
        words: 'An etch is anchored: A tide & more',
      },
    ]);
  } finally {
    await product.stop();
  }
});

interface Node {
  name: string;
  type: string;
  credentials?: { httpHeaderAuth?: object };
  parameters: {
    method?: string;
    url?: string;
    headerParameters?: { parameters: { name: string; value: string }[] };
    jsonBody?: string;
  };
}

test('the requests of the workflow for n8n etch a text once and return its receipt', async () => {
  const workflow = JSON.parse(readFileSync(join(root, 'docs/n8n.json'), 'utf8')) as {
    nodes: Node[];
    connections: Record<string, { main: [[{ node: string }]] }>;
  };
  const stranger = createClient({ baseUrl: service.url });
  const { apiKey } = await stranger.registerAgent(generateKeyPair());
  const client = stranger.as(apiKey);
  const outputs: Record<string, any> = {};
  /** An expression of n8n is JavaScript between braces after an equals sign. */
  const value = (given: string): string => {
    const shown = given.replaceAll(SHOWN_SERVICE, service.url);
    const [, expression] = /^=\{\{(.+)\}\}$/.exec(shown) ?? [];
    if (expression === undefined) return shown;
    const $ = (name: string) => ({ item: { json: outputs[name] } });
    return runInNewContext(expression, { $, $execution: { id: '231' } }) as string;
  };
  const send = async ({ parameters, credentials }: Node) => {
    const headers = (parameters.headerParameters?.parameters ?? []).map((one) => [
      one.name,
      value(one.value),
    ]);
    const response = await fetch(value(parameters.url!), {
      method: parameters.method!,
      headers: {
        ...Object.fromEntries(headers),
        ...(credentials?.httpHeaderAuth && { authorization: `Bearer ${apiKey}` }),
        ...(parameters.jsonBody && { 'content-type': 'application/json' }),
      },
      ...(parameters.jsonBody && { body: value(parameters.jsonBody) }),
    });
    expect(response.ok, `${response.status}`).toBe(true);
    return response.json();
  };
  const kinds: string[] = [];
  let name: string | undefined = 'Each morning';
  while (name !== undefined) {
    const node = workflow.nodes.find((one) => one.name === name)!;
    kinds.push(node.type.replace('n8n-nodes-base.', ''));
    if (node.type.endsWith('.httpRequest')) outputs[name] = await send(node);
    if (node.type.endsWith('.wait')) await client.waitForAnchored(outputs['Etch'].etch.id);
    name = workflow.connections[name]?.main[0][0].node;
  }
  expect(kinds).toEqual(['scheduleTrigger', 'httpRequest', 'wait', 'httpRequest']);
  expect(outputs['Receipt']).toMatchObject({
    etch_id: outputs['Etch'].etch.id,
    inclusion: { tree_version: 2 },
  });
  const again: any = await send(workflow.nodes[1]!);
  expect(again.etch.id).toBe(outputs['Etch'].etch.id);
});
