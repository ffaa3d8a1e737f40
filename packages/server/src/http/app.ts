import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import { FORMATS, type ValidatorIssue } from '@svc/contract';
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Traces } from '../platform/traces/traced.ts';
import { badField, type Failure } from '../platform/failure.ts';
import { compressPublic } from './compress.ts';
import { checkCredentials, type CredentialChecks } from './credentials.ts';
import {
  answerBadUrl,
  answerUnknown,
  answerUnparsed,
  CodedBody,
  invalid,
  sendError,
  setOwnHeaders,
  takeAllRequests,
} from './errors.ts';
import { addEtag } from './etag.ts';
import { readForwardedFor } from './forwarded-for.ts';
import { parseJsonBody } from './json-body.ts';
import { addTraces } from './monitoring.ts';

interface AppOptions {
  log: FastifyBaseLogger;
  trustProxy: readonly string[];
  checks: CredentialChecks;
  operations: (api: FastifyInstance) => void;
  outside: (app: FastifyInstance) => void;
  unknown?: (request: FastifyRequest, reply: FastifyReply) => unknown;
  traces?: Traces;
}

const BODY_LIMIT = 256 * 1024;

const EXPOSED = [
  'ETag',
  'Idempotent-Replay',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** This is above Node's limit for the request line, so that long segments still match. */
const PARAM_LIMIT = 16 * 1024;

export function createApp(options: AppOptions): FastifyInstance {
  const check = checkCredentials(options.checks);
  const unknown = options.unknown ?? answerUnknown;
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    http: { requireHostHeader: false },
    routerOptions: { maxParamLength: PARAM_LIMIT },
    frameworkErrors: answerBadUrl(check, unknown),
    clientErrorHandler: answerUnparsed,
    ajv: AJV,
    schemaErrorFormatter: (issues) => invalid(issues as ValidatorIssue[]),
  });

  app.decorateRequest('caller', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i,
    { parseAs: 'buffer' },
    (request, body, done) => {
      const coding = request.headers['content-encoding'] ?? 'identity';
      if (coding.toLowerCase() !== 'identity') return done(new CodedBody());
      try {
        done(null, parseJsonBody(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setErrorHandler(sendError);
  if (options.trustProxy.length > 0) readForwardedFor(app);
  if (options.traces) addTraces(app, options.traces);
  app.addHook('onRequest', (request, reply, done) => {
    setOwnHeaders(request, reply);
    done();
  });
  takeAllRequests(app);

  void app.register(
    async (api) => {
      await api.register(cors, {
        origin: '*',
        methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
        exposedHeaders: EXPOSED,
        strictPreflight: false,
      });
      api.addHook('onRequest', check);
      api.addHook('preValidation', (request, _reply, done) => {
        const { schema } = request.routeOptions;
        dropNulls(request.body, schema?.body);
        done(tooLong(request.body, schema?.body));
      });
      api.addHook('onSend', addEtag);
      api.addHook('onSend', compressPublic);
      api.setErrorHandler(sendError);
      api.setNotFoundHandler(answerUnknown);
      options.operations(api);
    },
    { prefix: '/api/v1' },
  );
  app.setNotFoundHandler(unknown);
  options.outside(app);
  return app;
}

function tooLong(body: unknown, schema: unknown): Failure | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, Bounds> };
  for (const [name, { maxItems = Infinity, maxLength = Infinity }] of Object.entries(properties)) {
    const value = (body as Record<string, unknown>)[name];
    if (Array.isArray(value) && value.length > maxItems)
      return badField(name, `must have at most ${maxItems} items`);
    // A character has at most two UTF-16 units; the contract counts exactly.
    if (typeof value === 'string' && value.length > 2 * maxLength)
      return badField(name, `must have at most ${maxLength} characters`);
  }
  return undefined;
}

interface Bounds {
  maxItems?: number;
  maxLength?: number;
}

function dropNulls(body: unknown, schema: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const required = (schema as { required?: string[] } | undefined)?.required ?? [];
  for (const [name, value] of Object.entries(body)) {
    if (value === null && !required.includes(name)) delete (body as Record<string, unknown>)[name];
  }
}

export const AJV = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: true,
    verbose: true,
    strict: false,
    // A test validates the schemas.
    validateSchema: false,
  },
  onCreate(ajv) {
    for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  },
} satisfies FastifyServerOptions['ajv'];
