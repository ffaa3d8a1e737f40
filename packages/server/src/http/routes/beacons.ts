import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Beacons } from '../../beacons/beacons.ts';
import type { ChainReads } from '../chain-reads.ts';
import { operation } from '../operation.ts';

interface BeaconRouteDependencies {
  beacons: Beacons;
  reads: ChainReads;
}

/** What is asked of relays counts as what is asked of the chain does; what never changes, and is known, is free. */
export function mountBeacons(api: FastifyInstance, { beacons, reads }: BeaconRouteDependencies): void {
  operation(api, ROUTES.getBeacon, async ({ params, request, reply }) => {
    const beacon = await beacons.read(params.chain, params.round, () => reads.take(request.ip, 1, 0));
    void reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return beacon;
  });
}
