import { ROUTES } from '@svc/contract';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { renderPage } from '../layout.tsx';
import type { Page, Site } from '../site.ts';

interface ReferenceField {
  description?: string;
  type?: string;
  enum?: readonly string[];
}
interface ObjectSchema {
  properties?: Readonly<Record<string, ReferenceField>>;
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

const AUTH = {
  public: 'no credentials needed',
  caller: 'an API key of either scope, or a session token',
  write: 'an API key with scope write, or a session token',
} as const;

const OPERATIONS = Object.values(ROUTES) as RouteEntry[];
const TAGS = [...new Set(OPERATIONS.map(({ tag }) => tag))];

/** `/docs`: the reference of every operation, made from the contract; no script, nothing from elsewhere. */
export function apiReferencePage(site: Site): Page {
  return renderPage(
    site,
    {
      title: 'API reference',
      description:
        'Every operation of the API: who may call it, what it takes, what it answers, with examples.',
      canonical: `${site.baseUrl}/docs`,
    },
    <div class="narrow reference" dangerouslySetInnerHTML={{ __html: reference(site.baseUrl) }} />,
  );
}

/** The same for everybody, and long: rendered once. */
let rendered: { baseUrl: string; html: string } | undefined;

function reference(baseUrl: string): string {
  if (rendered?.baseUrl !== baseUrl)
    rendered = { baseUrl, html: renderToString(<Reference baseUrl={baseUrl} />) };
  return rendered.html;
}

function Reference({ baseUrl }: { baseUrl: string }): VNode {
  return (
    <>
      <header class="page-head">
        <h1>API reference</h1>
        <p class="lead">
          Base url: <code>{baseUrl}</code>. The same as OpenAPI 3.1:{' '}
          <a href="/api/v1/openapi.json">openapi.json</a>; for agents in one page:{' '}
          <a href="/llms.txt">llms.txt</a>.
        </p>
      </header>
      <p>
        Credentials go into <code>Authorization: Bearer …</code>. Every refusal has the form{' '}
        <code>{'{"error":{"code","message","details"?}}'}</code> with one of nine codes.
      </p>
      <nav aria-label="Operations">
        <ul class="contents">
          {TAGS.map((tag) => (
            <li>
              {tag}
              <ul>
                {of(tag).map(({ operationId, summary }) => (
                  <li>
                    <a href={`#${operationId}`}>{summary}</a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
      {TAGS.map((tag) => (
        <section>
          <h2>{tag}</h2>
          {of(tag).map((route) => (
            <Operation route={route} baseUrl={baseUrl} />
          ))}
        </section>
      ))}
    </>
  );
}

const of = (tag: string): RouteEntry[] => OPERATIONS.filter((route) => route.tag === tag);

function Operation({ route, baseUrl }: { route: RouteEntry; baseUrl: string }): VNode {
  const { operationId, summary, method, path, auth, success, description } = route;
  return (
    <article>
      <h3 id={operationId}>{summary}</h3>
      <p>
        <code>{`${method} ${path}`}</code> <span class="badge">{AUTH[auth]}</span>{' '}
        {route.extra && <span class="badge">beyond the specification</span>}
      </p>
      {description && (
        <p>
          <Marked>{description}</Marked>
        </p>
      )}
      <Fields title="Path" schema={route.params} />
      <Fields title="Query" schema={route.query} />
      <Fields title="Headers" schema={route.headers} />
      <Fields title="Body" schema={route.body} />
      {route.body && <Block>{command(route, baseUrl)}</Block>}
      <details>
        <summary>Answers: {Object.keys(route.responses).join(', ')}, with an example</summary>
        <Rows
          rows={Object.entries(route.responses as Record<string, { description: string }>).map(
            ([status, answer]) => [status, <Marked>{answer.description}</Marked>],
          )}
        />
        <p class="quiet">An example of {success.status}</p>
        <Block>{JSON.stringify(success.example, null, 2)}</Block>
      </details>
    </article>
  );
}

function Fields({ title, schema }: { title: string; schema: ObjectSchema | undefined }): VNode | null {
  const fields = Object.entries(schema?.properties ?? {});
  if (fields.length === 0) return null;
  const rows = fields.map(([name, field]): Row => {
    const text = field.description ?? (field.enum ? `One of ${field.enum.join(', ')}.` : '');
    const isRequired = schema?.required?.includes(name);
    return [
      <code>{name}</code>,
      <>
        {isRequired && <strong>required. </strong>}
        <Marked>{text}</Marked>
      </>,
    ];
  });
  return (
    <>
      <h4>{title}</h4>
      <Rows rows={rows} />
    </>
  );
}

type Row = [name: ComponentChildren, meaning: ComponentChildren];

function Rows({ rows }: { rows: Row[] }): VNode {
  return (
    <dl class="facts">
      {rows.map(([name, meaning]) => (
        <div>
          <dt>{name}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Long lines scroll, by the keyboard too. */
function Block({ children }: { children: string }): VNode {
  return (
    <pre tabindex={0}>
      <code>{children}</code>
    </pre>
  );
}

/** Text with its `code` set apart. */
function Marked({ children }: { children: string }): VNode {
  return <>{children.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}

function command(route: RouteEntry, baseUrl: string): string {
  return [
    `curl -X ${route.method} '${baseUrl}${route.path}'`,
    ...(route.auth === 'public' ? [] : [`-H "Authorization: Bearer $API_KEY"`]),
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(route.bodyExample).replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ');
}
