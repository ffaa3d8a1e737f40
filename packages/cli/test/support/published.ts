import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type ReceiptVector, receiptVector } from '../../../../testing/vectors/receipts.ts';
import { type RpcServer, startRpc } from '../../../../testing/chain/rpc-server.ts';
import { publish, startService, type StubService, wellKnown } from './service.ts';
import { freshHome } from '../../../../testing/clients/svc.ts';

/** A receipt that a service publishes and a reader who knows neither, new for each test. */
interface Published {
  readonly vector: ReceiptVector;
  readonly id: string;
  readonly rpc: RpcServer;
  readonly service: StubService;
  readonly home: string;
  readonly pinsFile: string;
  pin(more?: object): void;
}

export function usePublished(): Published {
  const vector = receiptVector('valid/receipt-instant');
  let rpc: RpcServer;
  let service: StubService;
  let home: string;
  beforeEach(async () => {
    home = freshHome();
    rpc = await startRpc(vector.chain);
    service = await startService();
    publish(service, vector, rpc.url);
  });
  afterEach(() => Promise.all([rpc.close(), service.close()]));
  const published: Published = {
    vector,
    id: vector.receipt.etch_id,
    get rpc() {
      return rpc;
    },
    get service() {
      return service;
    },
    get home() {
      return home;
    },
    get pinsFile() {
      return join(home, 'svc', 'trust.json');
    },
    pin(more = {}) {
      const { name: _, rpc_url: __, ...values } = wellKnown(vector, rpc.url).chain;
      mkdirSync(join(home, 'svc'), { recursive: true });
      writeFileSync(published.pinsFile, JSON.stringify({ [service.origin]: { ...values, ...more } }));
    },
  };
  return published;
}
