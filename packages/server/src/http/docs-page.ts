import { createHash } from 'node:crypto';
import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';

interface Field {
  description?: string;
  type?: string;
  enum?: readonly string[];
}
interface ObjectSchema {
  properties?: Readonly<Record<string, Field>>;
  required?: readonly string[];
}
type RouteEntry = (typeof ROUTES)[keyof typeof ROUTES] & {
  description?: string;
  params?: ObjectSchema;
  query?: ObjectSchema;
  headers?: ObjectSchema;
  body?: ObjectSchema;
  bodyExample?: unknown;
  extra?: true;
};

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ccd, #445); --soft: light-dark(#f4f5f9, #20222b); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: .4rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); } h3 { margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } td:first-child { white-space: nowrap; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
nav ul { columns: 18rem; padding-left: 1rem; } summary { cursor: pointer; } .label { border: 1px solid var(--line); border-radius: .3rem; padding: 0 .4rem; font-size: .85em; }
`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const AUTH = {
  public: 'no credentials needed',
  caller: 'an API key of either scope, or a session token',
  write: 'an API key with scope write, or a session token',
} as const;

/** `/docs`: the reference of every operation, made from the contract; no script, nothing from elsewhere. */
export function mountDocs(app: FastifyInstance, baseUrl: string): void {
  const page = render(baseUrl);
  app.get('/docs', async (_request, reply) =>
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Security-Policy', POLICY)
      .header('Referrer-Policy', 'no-referrer')
      .send(page),
  );
}

function render(baseUrl: string): string {
  const routes = Object.values(ROUTES) as RouteEntry[];
  const tags = [...new Set(routes.map((route) => route.tag))];
  const contents = tags.map(
    (tag) =>
      `<li>${escape(tag)}<ul>${routes
        .filter((route) => route.tag === tag)
        .map((route) => `<li><a href="#${route.operationId}">${escape(route.summary)}</a></li>`)
        .join('')}</ul></li>`,
  );
  const sections = tags.map(
    (tag) =>
      `<section><h2>${escape(tag)}</h2>${routes
        .filter((route) => route.tag === tag)
        .map((route) => operation(route, baseUrl))
        .join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title><style>${STYLE}</style></head><body><main><h1>API reference</h1>
<p>Base url: <code>${escape(baseUrl)}</code>. The same as OpenAPI 3.1: <a href="/api/v1/openapi.json">openapi.json</a>; for agents in one page: <a href="/llms.txt">llms.txt</a>.</p>
<p>Credentials go into <code>Authorization: Bearer …</code>. Every refusal has the form
<code>{"error":{"code","message","details"?}}</code> with one of nine codes.</p>
<nav aria-label="Operations"><ul>${contents.join('')}</ul></nav>${sections.join('')}</main></body></html>`;
}

function operation(route: RouteEntry, baseUrl: string): string {
  const { success } = route;
  const parts = [
    `<h3 id="${route.operationId}">${escape(route.summary)}</h3>`,
    `<p><code>${route.method} ${escape(route.path)}</code> <span class="label">${AUTH[route.auth]}</span>${route.extra ? ' <span class="label">beyond the specification</span>' : ''}</p>`,
    ...(route.description ? [`<p>${escape(route.description)}</p>`] : []),
    fields('Path', route.params),
    fields('Query', route.query),
    fields('Headers', route.headers),
    fields('Body', route.body),
    ...(route.body ? [`<pre tabindex="0">${escape(command(route, baseUrl))}</pre>`] : []),
    answers(route),
    `<details><summary>${success.status}: an example</summary><pre tabindex="0">${escape(JSON.stringify(success.example, null, 2))}</pre></details>`,
  ];
  return `<article>${parts.join('')}</article>`;
}

function fields(title: string, schema: ObjectSchema | undefined): string {
  const entries = Object.entries(schema?.properties ?? {});
  if (entries.length === 0) return '';
  const rows = entries.map(([name, field]) => {
    const needed = schema?.required?.includes(name) ? 'required' : '';
    const text = field.description ?? (field.enum ? `One of ${field.enum.join(', ')}.` : '');
    return `<tr><td><code>${escape(name)}</code></td><td>${needed}</td><td>${code(text)}</td></tr>`;
  });
  return `<table><caption>${title}</caption><tbody>${rows.join('')}</tbody></table>`;
}

function answers(route: RouteEntry): string {
  const rows = Object.entries(route.responses as Record<string, { description: string }>).map(
    ([status, { description }]) => `<tr><td>${status}</td><td>${code(description)}</td></tr>`,
  );
  return `<table><caption>Answers</caption><tbody>${rows.join('')}</tbody></table>`;
}

function command(route: RouteEntry, baseUrl: string): string {
  return [
    `curl -X ${route.method} '${baseUrl}${route.path}'`,
    ...(route.auth === 'public' ? [] : [`-H "Authorization: Bearer $API_KEY"`]),
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(route.bodyExample).replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ');
}

/** Text with its `code` set apart. */
function code(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
