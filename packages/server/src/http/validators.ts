import { FORMATS } from '@svc/contract';
import type { FastifyServerOptions } from 'fastify';

/** Validation options: the validator changes no data. */
export const AJV = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: true,
    verbose: true,
    strict: false,
    // A test validates the schemas; at startup it would cost time.
    validateSchema: false,
  },
  onCreate(ajv) {
    for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  },
} satisfies FastifyServerOptions['ajv'];
