import { FORMATS } from '@svc/contract';
import type { FastifyServerOptions } from 'fastify';

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
