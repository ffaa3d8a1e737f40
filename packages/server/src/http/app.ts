import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import cors from '@fastify/cors';
import { FORMATS, type ValidatorIssue } from '@svc/contract';
import {
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Traces } from '../platform/traces/traced.ts';
import { badField, type Failure } from '../platform/failure.ts';
import { addEtag, compressPublic } from './representation.ts';
import { checkCredentials } from './credentials.ts';
import {
  answerBadUrl,
  answerUnknown,
  answerUnparsed,
  CodedBody,
  invalid,
  LIMIT_HEADERS,
  sendError,
  setOwnHeaders,
  takeAllRequests,
} from './errors.ts';
import { parseJsonBody } from './json-body.ts';
import { addTraces } from './monitoring.ts';
import type { HttpDependencies } from './dependencies.ts';

interface AppOptions {
  operations: (api: FastifyInstance) => void;
  outside: (app: FastifyInstance) => void;
  unknown: (request: FastifyRequest, reply: FastifyReply) => unknown;
  traces?: Traces | undefined;
}

const BODY_LIMIT = 256 * 1024;

/** This is above Node's limit for the request line, so that long segments still match. */
const PARAM_LIMIT = 16 * 1024;

export function createApp(deps: HttpDependencies, options: AppOptions): FastifyInstance {
  const { log, config } = deps;
  const { trustProxy } = config;
  const { operations, outside, unknown, traces } = options;
  const check = checkCredentials(deps);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
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
  if (trustProxy.length > 0) readForwardedFor(app);
  if (traces) addTraces(app, traces);
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
        exposedHeaders: ['ETag', 'Idempotent-Replay', ...LIMIT_HEADERS],
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
      operations(api);
    },
    { prefix: '/api/v1' },
  );
  app.setNotFoundHandler(unknown);
  outside(app);
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

const WITH_PORT = [/^\[(.*)\](?::\d+)?$/, /^(\d+\.\d+\.\d+\.\d+):\d+$/];

/** Removes the ports that some proxies append. */
export function readForwardedFor(app: FastifyInstance): void {
  let warned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw;
    const header = headers['x-forwarded-for'];
    if (header !== undefined) {
      headers['x-forwarded-for'] = String(header).split(',').map(withoutPort).join(', ');
      if (isIP(request.ip) === 0) {
        headers['x-forwarded-for'] = socket.remoteAddress;
        if (!warned)
          request.log.warn(
            'TRUST_PROXY: X-Forwarded-For names no IP address, so requests count by the address of the proxy: have the proxy send the address of the client',
          );
        warned = true;
      }
    }
    done();
  });
}

function withoutPort(text: string): string {
  const address = text.trim();
  for (const form of WITH_PORT) {
    const found = form.exec(address)?.[1];
    if (found !== undefined) return found;
  }
  return address;
}
