import { FORMATS } from '@svc/contract';
import type { FastifyServerOptions } from 'fastify';

/** How what comes in is checked: nothing in it is changed. */
export const AJV = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allErrors: true,
    verbose: true,
    strict: false,
    // A test asks whether the operations' schemas are schemas: here every start would.
    validateSchema: false,
  },
  onCreate(ajv) {
    for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  },
} satisfies FastifyServerOptions['ajv'];
