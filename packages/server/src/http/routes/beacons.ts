import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Beacons } from '../../etches/beacons/beacons.ts';
import type { ChainReads } from '../chain-reads.ts';
import { operation } from '../operation.ts';

interface BeaconRouteDependencies {
  beacons: Beacons;
  reads: ChainReads;
}

/** Requests to relays count as chain reads; a cached round is free. */
export function mountBeacons(api: FastifyInstance, { beacons, reads }: BeaconRouteDependencies): void {
  operation(api, ROUTES.getBeacon, async ({ params, request, reply }) => {
    const beacon = await beacons.read(params.chain, params.round, () => reads.take(request.ip, 1, 0));
    void reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return beacon;
  });
}
