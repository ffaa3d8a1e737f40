import { type CountedBy, createRateLimiters, type RateLimiter } from '../http/rate-limits.ts';
import type { Limits } from '../settings/config.ts';

const MINUTE = 60;
const HOUR = 3600;
/** This allows a retry without a load on the host. */
const DOMAIN_CHECKS_PER_MINUTE = 10;

/** Daily allowances are counted from rows instead. */
export function createMeters(limits: Limits, countedBy: CountedBy) {
  const limiter = createRateLimiters(countedBy);
  const meter = (name: string, limit: number, seconds: number, what: string): RateLimiter =>
    limiter({ name, limit, seconds, what });
  return {
    key: meter('key', limits.keyPerMinute, MINUTE, 'requests with this API key'),
    anonymous: meter('anonymous', limits.anonPerMinute, MINUTE, 'signed-out requests from this address'),
    card: meter('card', limits.cardsPerMinute, MINUTE, 'preview pictures drawn for this address'),
    rpc: meter('rpc', limits.rpcPerMinute, MINUTE, 'chain reads from this address'),
    chainReads: meter(
      'chain reads',
      limits.chainReadsPerMinute,
      MINUTE,
      'chain reads from all addresses together',
    ),
    mcp: meter('mcp', limits.mcpPerMinute, MINUTE, 'messages to the tools from this address'),
    registration: meter('registration', limits.registrationsPerHour, HOUR, 'registrations from this address'),
    failedRegistration: meter(
      'failed registration',
      limits.failedRegistrationsPerHour,
      HOUR,
      'registrations from this address that failed',
    ),
    /** MCP clients that the embedded issuer registers, or whose metadata document it fetches */
    client: meter('client', limits.registrationsPerHour, HOUR, 'registrations of clients from this address'),
    domain: meter('domain', DOMAIN_CHECKS_PER_MINUTE, MINUTE, 'checks of this domain'),
    opening: meter('opening', limits.openingsPerHour, HOUR, 'openings of sealed etches by this account'),
    guide: meter('guide', limits.guidePerHour, HOUR, 'signed-out answers from this address'),
  };
}

export type Meters = ReturnType<typeof createMeters>;
