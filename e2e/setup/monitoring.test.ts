import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../packages/server/src/settings/read-config.ts';
import { createMetrics } from '../../packages/server/src/vitals/metrics.ts';
import { newFolder } from '../../testing/machine/folder.ts';
import type { Json } from '../../testing/json.ts';
import { read, root as ROOT } from '../../testing/repository.ts';

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found!);

interface Asked {
  expr: string;
  name: string;
  matchers: { label: string; op: string; value: string }[];
}

function asked(expr: string): Asked[] {
  return [...expr.matchAll(/\b((?:svc|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name, inner = '']) => {
      const matchers = [...inner.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"\s*(?:,|$)/g)];
      expect(matchers.map(([text]) => text).join(''), `${expr}: matchers are understood`).toBe(inner);
      return {
        expr,
        name: name!,
        matchers: matchers.map(([, label, op, value]) => ({ label: label!, op: op!, value: value! })),
      };
    },
  );
}

async function metricsText(): Promise<string> {
  const metrics = createMetrics({
    config: readConfig({ DATA_DIR: newFolder('data') }),
    vitals: async () => ({
      parts: [{ name: 'database', ok: true }],
      anchoring: {
        pending: 1,
        halted: 0,
        oldestPendingSeconds: 1,
        openTransactions: 0,
        minedTransactions: 0,
        minedIn: null,
        unplaced: 0,
        lastAnchoredAt: '2026-08-01T12:00:00Z',
        failingSince: null,
        failure: null,
        catchingUp: false,
      },
      confirming: null,
      lastBatch: null,
      days: null,
      counts: {
        commitmentBatches: 1,
        retractionBatches: 1,
        transactions: 1,
        unreadable: 0,
        forgotten: { withheld: 0, unmatched: 0 },
        attestedBefore: false,
        operatorActs: {},
        unproven: { trees: 1, oldestAt: 0 },
        unstamped: { trees: 0, oldestAt: null },
      },
      witnesses: [{ name: 'one', behindSeconds: 1, fault: null }],
      log: { held: null, index_held: null },
      relayer: {
        address: '0x',
        balance: 1n,
        daysLeft: 1,
        spend: { perDay: 1n, gasPerTransaction: 1, gas: 1n, wei: 1n },
      },
    }),
    tasks: {
      begun: () => {},
      succeeded: () => {},
      failed: () => {},
      read: () => [{ name: 'reveal', lagSeconds: 0, failures: 0 }],
    },
    clock: { unconfirmedStepMs: () => 0, now: () => 5_000 },
    pools: { main: { pool: () => ({ size: 1, idle: 1, waiting: 0 }) } as Json },
    standby: () => ({ ageSeconds: 1, lists: { standby: 1 } }) as Json,
  });
  metrics.notes.request({ operation: 'createEtch', status: 201, seconds: 1 });
  metrics.notes.chainCall('send', 'ok');
  return metrics.text();
}

async function served(): Promise<Map<string, Set<string>>> {
  const labels = new Map<string, Set<string>>([['up', new Set()]]);
  for (const [, name, inner = ''] of (await metricsText()).matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const found = labels.get(name!) ?? new Set();
    for (const label of all(inner, /(\w+)="/g)) found.add(label);
    labels.set(name!, found);
  }
  // Prometheus adds the target's labels.
  for (const found of labels.values()) found.add('instance').add('job');
  return labels;
}

describe('deploy/alerts.yml and deploy/grafana-dashboard.json', () => {
  const { groups } = parse(read('deploy/alerts.yml')) as { groups: { rules: Json[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const dashboard: Json = JSON.parse(read('deploy/grafana-dashboard.json'));
  const panels = (dashboard.panels as Json[]).flatMap((panel) => [
    panel,
    ...((panel.panels ?? []) as Json[]),
  ]);
  const targets = panels.flatMap((panel) => (panel.targets ?? []) as Json[]);
  const exprs: string[] = [...rules, ...targets].map(({ expr }) => expr);
  const scraped = parse(
    /```yaml\n( *scrape_configs:[\s\S]*?)```/.exec(read('docs/operating/monitoring.md'))![1]!,
  );

  test('every rule has a condition, a severity and a text, and the page describes it', () => {
    expect(rules.length).toBeGreaterThan(10);
    for (const rule of rules) {
      expect(rule, rule.alert).toMatchObject({
        alert: expect.stringMatching(/^Svc[A-Z]\w+$/),
        expr: expect.any(String),
        labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.any(String) },
      });
      if ('for' in rule) expect(rule.for).toMatch(/^\d+[smh]$/);
    }
    const documented = all(read('docs/operating/monitoring.md'), /`(Svc\w+)`/g);
    expect([...new Set(rules.map(({ alert }) => alert))].sort()).toEqual([...new Set(documented)].sort());
    // Prometheus would send the same alert twice.
    for (const values of [rules.map(({ alert }) => alert), rules.map(({ expr }) => expr)])
      expect(values.filter((value, at) => values.indexOf(value) !== at)).toEqual([]);
  });

  test('every row of svc-admin doctor that can fail while the service runs has an alert', () => {
    const rows = all(read('packages/server/src/admin/doctor/doctor.ts'), /bounded\('(\w+)'/g);
    const atStart = ['proxy', 'base_url', 'open_files'];
    const alerted = new Set(rules.flatMap(({ labels }) => labels.doctor ?? []));
    expect([...alerted, ...atStart].sort()).toEqual(rows.sort());
    for (const row of atStart) expect(read('docs/operating/monitoring.md')).toContain(`\`${row}\``);
  });

  test('every queried series has the queried labels', async () => {
    const labels = await served();
    const series = exprs.flatMap(asked);
    expect(series.length).toBeGreaterThan(40);
    for (const { expr, name, matchers } of series) {
      expect([...labels.keys()], expr).toContain(name);
      for (const { label } of matchers) expect([...labels.get(name)!], expr).toContain(label);
    }
    for (const expr of exprs)
      for (const label of all(expr, /\bby\s*\(([^)]*)\)/g).flatMap((names) => names.split(/\s*,\s*/)))
        expect(
          asked(expr).some(({ name }) => labels.get(name)!.has(label)),
          `${expr}: by ${label}`,
        ).toBe(true);
    for (const { expr, annotations, legendFormat } of [...rules, ...targets]) {
      const said = `${JSON.stringify(annotations ?? {})}${legendFormat ?? ''}`;
      const kept = all(expr, /\bby\s*\(([^)]*)\)/g)[0]?.split(/\s*,\s*/);
      for (const label of all(said, /\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g))
        expect(kept ?? [...labels.get(asked(expr)[0]!.name)!], expr).toContain(label);
    }
  });

  // The rules of `promtool check metrics` that concern names.
  test('every metric has the name of its type and base units', async () => {
    const types = [...(await metricsText()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    expect(types.length).toBeGreaterThan(40);
    const wrong = types.filter(
      ([, name = '', type]) =>
        (type === 'counter') !== name.endsWith('_total') ||
        (type === 'gauge' && /_(?:bucket|count|sum)$/.test(name)) ||
        /_(?:minutes|hours|days|weeks|ms|bits|gauge|counter|histogram|summary)(?:_|$)/.test(name),
    );
    expect(wrong.map(([line]) => line)).toEqual([]);
  });

  test('the dashboard shows every figure of the service', async () => {
    const shown = new Set(
      targets.flatMap(({ expr }) => asked(expr).map(({ name }) => name.replace(/_bucket$/, ''))),
    );
    const figures = [...(await served()).keys()].filter((name) => name.startsWith('svc_'));
    const missing = figures.filter((name) => !shown.has(name.replace(/_(bucket|sum|count)$/, '')));
    expect(missing).toEqual(['svc_build_info']);
  });

  test.skipIf(spawnSync('promtool', ['--version']).status !== 0)('promtool accepts the rules', () => {
    const file = join(ROOT, 'deploy/alerts.yml');
    const checked = spawnSync('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', file], {
      encoding: 'utf8',
    });
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);
  });

  test('every queried label value can occur', () => {
    const operations = Object.values(ROUTES).map(({ operationId }) => operationId);
    const possible: Record<string, string[]> = {
      operation: operations,
      status: Array.from({ length: 400 }, (_, i) => String(200 + i)),
      outcome: ['ok', 'unavailable', 'failed'],
      task: all(read('packages/server/src/service/tasks.ts'), /every(?:where)?\([\d._]+, '([^']+)'/g),
      part: all(read('packages/server/src/service/monitoring.ts'), /name: '(\w+)'/g),
      job: scraped.scrape_configs.map((config: Json) => config.job_name),
    };
    const matchers = exprs
      .flatMap(asked)
      .flatMap(({ matchers, expr }) => matchers.map((m) => ({ ...m, expr })));
    const fixed = matchers.filter(({ value }) => !value.startsWith('$'));
    expect(new Set(fixed.map(({ label }) => label))).toEqual(new Set(Object.keys(possible)));
    for (const { label, op, value, expr } of fixed) {
      const is = op.endsWith('~') ? new RegExp(`^(?:${value})$`) : { test: (text: string) => text === value };
      expect(
        possible[label]!.some((one) => is.test(one)),
        `${expr}: ${label}="${value}"`,
      ).toBe(true);
    }
    for (const { value } of matchers.filter(({ value }) => value.startsWith('$')))
      expect(dashboard.templating.list.map(({ name }: Json) => `$${name}`)).toContain(value);
    for (const file of scraped.rule_files) expect(existsSync(join(ROOT, 'deploy', file)), file).toBe(true);
  });
});
