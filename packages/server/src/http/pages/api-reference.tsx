import { openApiDocument } from '@svc/contract';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { renderPage } from '@svc/web/layout';
import {
  Fields,
  fieldsOf,
  kindOf,
  Marked,
  nameIn,
  type Schema,
  type Schemas,
} from '@svc/web/parts/reference-fields';
import { type Operation, OperationView, type Placed, WebhookView } from '@svc/web/parts/reference-operation';
import type { Page, Site } from '@svc/web/site';
import { installLine } from '@svc/web/format';
import type { FastifyInstance } from 'fastify';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { siteFor } from './site.ts';

export function mountApiReferencePage(app: FastifyInstance, deps: HttpDependencies): void {
  let rendered: Promise<string[]> | undefined;
  app.get('/docs', async (request) => {
    rendered ??= mapInTimeSlices(
      apiReferenceParts(deps.baseUrl),
      () => 1,
      (part) => part(),
      4,
    );
    return apiReferencePage(siteFor(deps, request), await rendered);
  });
}

export function apiReferencePage(site: Site, parts: readonly string[]): Page {
  return renderPage(
    site,
    {
      title: 'API reference',
      description:
        'Every operation of the API: who may call it, what it takes, what it answers, with examples.',
      canonical: `${site.baseUrl}/docs`,
      islands: ['reference.js'],
    },
    <div class="narrow reference" dangerouslySetInnerHTML={{ __html: parts.join('') }} />,
  );
}

interface Tag {
  name: string;
  description: string;
}
interface Document {
  tags: readonly Tag[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks: Readonly<Record<string, { post: Operation }>>;
  components: { schemas: Schemas };
}

/**
 * The page is long and the same for all readers, so the server renders it once, part by part, and yields in
 * between.
 */
export function apiReferenceParts(baseUrl: string): (() => string)[] {
  const document = openApiDocument({ baseUrl }) as unknown as Document;
  const { tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Placed => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const webhooks = Object.entries(document.webhooks).map(([path, { post }]): Placed => ({
    method: 'POST',
    path,
    operation: post,
  }));
  const ofBodies = new Set(
    Object.entries(components.schemas).flatMap(([name, { anyOf = [] }]) =>
      name.endsWith('Body') ? [name, ...anyOf.map(({ $ref }) => nameIn($ref!))] : [],
    ),
  );
  const schemas = Object.entries(components.schemas).filter(([name]) => !ofBodies.has(name));
  const parts: VNode[] = [
    <Head baseUrl={baseUrl} tags={tags} operations={operations} />,
    ...tags.flatMap((tag) => [
      <>
        <h2 id={`tag-${tag.name}`}>{tag.name}</h2>
        <p>{tag.description}</p>
      </>,
      ...of(tag, operations).map((at) => <OperationView at={at} schemas={components.schemas} />),
    ]),
    <>
      <h2 id="webhooks">Webhooks</h2>
      <p>What the service sends to the webhooks of an account, by the type of the event.</p>
    </>,
    ...webhooks.map((at) => <WebhookView at={at} />),
    <h2 id="schemas">Schemas</h2>,
    ...schemas.map(([name, schema]) => (
      <SchemaView name={name} schema={schema} schemas={components.schemas} />
    )),
  ];
  return parts.map((part) => () => renderToString(part));
}

const of = ({ name }: Tag, operations: readonly Placed[]): Placed[] =>
  operations.filter(({ operation }) => operation.tags.includes(name));

function SchemaView({ name, schema, schemas }: { name: string; schema: Schema; schemas: Schemas }) {
  return (
    <article>
      <h3 id={name}>{name}</h3>
      {schema.description && (
        <p>
          <Marked>{schema.description}</Marked>
        </p>
      )}
      {schema.properties ? (
        <Fields fields={fieldsOf({ at: name, schema, schemas })} />
      ) : (
        <p>One of: {kindOf(schema)}.</p>
      )}
    </article>
  );
}

type HeadProps = { baseUrl: string; tags: readonly Tag[]; operations: readonly Placed[] };

function Head({ baseUrl, tags, operations }: HeadProps) {
  return (
    <>
      <header class="page-head">
        <h1>API reference</h1>
        <p class="lead">
          Base URL: <code>{baseUrl}</code>. The same as OpenAPI 3.1:{' '}
          <a href="/api/v1/openapi.json">openapi.json</a>; for agents in one page:{' '}
          <a href="/llms.txt">llms.txt</a>.
        </p>
      </header>
      <p>
        Credentials go into <code>Authorization: Bearer …</code>. Every error is an{' '}
        <a href="#ErrorEnvelope">ErrorEnvelope</a> with one of nine codes. In the commands, <code>$BASE</code>{' '}
        is the base URL and <code>$API_KEY</code> a key. To retry after a failure, send the same{' '}
        <code>Idempotency-Key</code>.
      </p>
      <p>
        The command line: <code>{installLine(baseUrl)}</code>. <a href="/install/">Programs</a> have a client
        with types.
      </p>
      <p>
        Every part has an address: an operation (<code>#createEtch</code>), its parameters (
        <code>#createEtch.Idempotency-Key</code>), a schema (<code>#Etch</code>) and its fields (
        <code>#RevealedEtch.content</code>).
      </p>
      <search class="reference-search" hidden>
        <label for="reference-query">Search operations, schemas and fields</label>
        <input id="reference-query" type="search" autocomplete="off" spellcheck={false} />
        <p role="status" class="quiet"></p>
        <ul></ul>
      </search>
      <nav aria-label="Reference">
        <ul class="contents">
          {tags.map((tag) => (
            <li>
              <a href={`#tag-${tag.name}`}>{tag.name}</a>
              <ul>
                {of(tag, operations).map(({ operation: { operationId, summary } }) => (
                  <li>
                    <a href={`#${operationId}`}>{summary}</a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
          <li>
            <a href="#webhooks">Webhooks</a>
          </li>
          <li>
            <a href="#schemas">Schemas</a>
          </li>
        </ul>
      </nav>
    </>
  );
}
