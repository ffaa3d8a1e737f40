import type { TrustOptions } from '../find-trust.ts';
import type { LogOptions } from '../judge-log.ts';
import type { OtsOptions } from '../judge-ots.ts';
import type { TimestampOptions } from '../judge-timestamps.ts';
import type { PromiseOptions } from '../promise-file.ts';

export interface VerifyOptions
  extends TrustOptions, TimestampOptions, OtsOptions, LogOptions, PromiseOptions {
  baseUrl: string;
  json: boolean;
  offline: boolean;
  /** the evidence of the first chain, in an evidence file */
  former?: boolean;
  authorKey?: string;
  promiseKey: string[];
  blockHash: string[];
  files: string[];
  manifest?: string;
  disclosure?: string;
}
