import { openApiDocument } from '@svc/contract';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { renderPage } from '@svc/web/layout';
import {
  Fields,
  fieldsOf,
  kindOf,
  Marked,
  nameIn,
  SCHEMA_PAGES,
  schemaPath,
  type Schema,
  type Schemas,
} from '@svc/web/parts/reference-fields';
import { say } from '@svc/web/parts/prose';
import { installLine } from '@svc/web/format';
import { facts } from '@svc/web/parts/values';
import { type Operation, OperationView, type Placed, WebhookView } from '@svc/web/parts/reference-operation';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { siteFor } from './site.ts';

/** The overview is `/docs`; each resource has a page `/docs/api/<slug>`. */
export function mountApiReferencePage(app: FastifyInstance, deps: HttpDependencies): void {
  let reference: Reference | undefined;
  const rendered = new Map<string, Promise<string[]>>();

  const show = async (request: FastifyRequest, slug: string): Promise<Page> => {
    reference ??= readReference(deps.baseUrl, deps.clock.now());
    const chapter = reference.chapters.find((one) => one.slug === slug);
    if (!chapter) throw new Failure('not_found', 'the API has no such resource');
    const parts = rendered.get(slug) ?? mapInTimeSlices(chapter.parts, () => 1, renderToString, 4);
    rendered.set(slug, parts);
    return apiReferencePage(siteFor(deps, request), reference, { ...chapter, parts: await parts });
  };
  app.get('/docs', (request) => show(request, ''));
  app.get<{ Params: { slug: string } }>('/docs/api/:slug', (request) => show(request, request.params.slug));
}

interface Chapter {
  /** empty: the overview */
  slug: string;
  title: string;
  text?: string;
  /** the sidebar lists them */
  entries: readonly { id: string; title: string }[];
  parts: readonly VNode[];
}

interface Reference {
  chapters: readonly Chapter[];
}

type Rendered = Omit<Chapter, 'parts'> & { parts: readonly string[] };

export function apiReferencePage(site: Site, reference: Reference, chapter: Rendered): Page {
  const { slug, title, parts } = chapter;
  return renderPage(
    site,
    {
      title: slug === '' ? title : `${title}: API reference`,
      description:
        slug === ''
          ? 'Every operation of the API: who may call it, what it takes, what it answers, with examples.'
          : `The part “${title}” of the API: every operation with its parameters, answers and examples.`,
      canonical: `${site.baseUrl}${chapterPath(slug)}`,
      islands: ['reference.js', 'copy.js'],
      section: '/docs/README',
    },
    <div class="wide with-sidebar">
      <Sidebar reference={reference} here={slug} />
      <div class="reference" dangerouslySetInnerHTML={{ __html: parts.join('') }} />
    </div>,
  );
}

const chapterPath = (slug: string): string => (slug === '' ? '/docs' : `/docs/api/${slug}`);

function Sidebar({ reference, here }: { reference: Reference; here: string }) {
  return (
    <nav class="sidebar" aria-label="Reference">
      <p>
        <a href="/docs/README">All guides</a>
      </p>
      <search class="reference-search awaits-script" hidden>
        <label for="reference-query">Search operations, schemas and fields</label>
        <input id="reference-query" type="search" autocomplete="off" spellcheck={false} />
        <p role="status" class="quiet"></p>
        <ul></ul>
      </search>
      <details>
        <summary>All resources</summary>
        <ul>
          {reference.chapters.map(({ slug, title, entries }) => (
            <li>
              <a href={chapterPath(slug)} {...(slug === here && { 'aria-current': 'page' as const })}>
                {title}
              </a>
              {slug === here && slug !== '' && entries.length > 0 && (
                <ul>
                  {entries.map((entry) => (
                    <li>
                      <a href={`#${entry.id}`}>{entry.title}</a>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      </details>
    </nav>
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

const YEAR_MS = 365 * 86_400_000;

export function readReference(baseUrl: string, now: number): Reference {
  const later = new Date(now + YEAR_MS).toISOString().replace(/:\d\d\.\d+Z/, ':00Z');
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
  const resources = tags.map(({ name, description }): Chapter => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return {
      slug: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      title: name,
      text: description,
      entries: own.map(({ operation: { operationId: id, summary: title } }) => ({ id, title })),
      parts: [
        heading(name, description),
        ...own.map((at) => (
          <OperationView at={at} schemas={components.schemas} baseUrl={baseUrl} later={later} />
        )),
      ],
    };
  });
  const rest: readonly Chapter[] = [
    {
      slug: 'webhooks',
      title: 'Webhooks',
      entries: webhooks.map(({ path, operation: { operationId: id } }) => ({ id, title: path })),
      parts: [
        heading(
          'Webhooks',
          'What the service sends to the webhooks of an account, by the type of the event.',
        ),
        ...webhooks.map((at) => <WebhookView at={at} />),
      ],
    },
    ...SCHEMA_PAGES.map(({ slug, title, has }) => {
      const own = schemas.filter(([name]) => has(name));
      return {
        slug,
        title,
        entries: own.map(([id]) => ({ id, title: id })),
        parts: [
          heading(title, 'The objects in requests and answers.'),
          ...own.map(([name, schema]) => (
            <SchemaView name={name} schema={schema} schemas={components.schemas} />
          )),
        ],
      };
    }),
  ];
  const chapters = [...resources, ...rest];
  const overview: Chapter = {
    slug: '',
    title: 'API reference',
    entries: [],
    parts: [<Overview baseUrl={baseUrl} chapters={chapters} />],
  };
  return { chapters: [overview, ...chapters] };
}

const heading = (title: string, text: ComponentChildren): VNode => (
  <header class="page-head">
    <h1>{title}</h1>
    <p class="lead">{text}</p>
  </header>
);

function SchemaView({ name, schema, schemas }: { name: string; schema: Schema; schemas: Schemas }) {
  return (
    <article>
      <h2 id={name}>{name}</h2>
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

function Overview({ baseUrl, chapters }: { baseUrl: string; chapters: readonly Chapter[] }) {
  return (
    <>
      {heading(
        'API reference',
        say`
          Every operation of this service. New here? Begin with the [quickstart](/docs/quickstart), or with the page
          [for agents](/docs/agents).
        `,
      )}
      {facts(
        ['Base URL', <code data-copy="address">{baseUrl}</code>],
        [
          'Credentials',
          say`~Authorization: Bearer $API_KEY~. A person makes a key on [the page of keys](/account/keys), an agent when it registers.`,
        ],
        [
          'Errors',
          say`An [ErrorEnvelope](${schemaPath('ErrorEnvelope')}) with a [code](${`${schemaPath('Error')}.code`}).`,
        ],
        [
          'Retries',
          say`After a failure, send the same ~Idempotency-Key~ again. The service creates the etch or the challenge once.`,
        ],
        [
          'Programs',
          say`A typed client and the command line: [install them](/install/), or run`,
          ' ',
          <code data-copy="command">{installLine(baseUrl)}</code>,
        ],
        ['In one file', say`[OpenAPI 3.1](/api/v1/openapi.json), and [llms.txt](/llms.txt) for agents.`],
      )}
      {chapters.filter((chapter) => !isOfSchemas(chapter)).map(Contents)}
      <details>
        <summary>Schemas</summary>
        {chapters.filter(isOfSchemas).map(Contents)}
      </details>
      <p class="quiet">
        {say`
          Each part has an address: an operation (~/docs/api/etches#createEtch~), its parameters
          (~#createEtch.Idempotency-Key~), a schema (~/docs/api/schemas-a-l#Etch~) and its fields
          (~#RevealedEtch.content~).
        `}
      </p>
    </>
  );
}

const isOfSchemas = ({ slug }: Chapter): boolean => SCHEMA_PAGES.some((page) => page.slug === slug);

const Contents = ({ slug, title, text, entries }: Chapter) => (
  <section>
    <h2>
      <a href={chapterPath(slug)}>{title}</a>
    </h2>
    {text && <p class="quiet">{text}</p>}
    <ul class="contents">
      {entries.map((entry) => (
        <li>
          <a href={`${chapterPath(slug)}#${entry.id}`}>{entry.title}</a>
        </li>
      ))}
    </ul>
  </section>
);
