import { resolve } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { openChainClient } from './chain/client.ts';
import { startDevnet } from './chain/devnet/devnet.ts';
import { createRpcApp } from './http/rpc.ts';
import { readEnvironment } from './settings/environment.ts';

const HOST = '127.0.0.1';

/**
 * Serves the saved chain read-only, to check proofs with the service stopped. The page of a saved receipt reads it
 * from any origin.
 */
export async function main(): Promise<void> {
  const environment = readEnvironment();
  const port = environment['DEVNET_PORT'] || '8545';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return fail('DEVNET_PORT is not a port');
  const devnet = await startDevnet({
    dataDir: resolve(environment['DATA_DIR'] || './data'),
    port: 0,
    log: {
      info: (message) => console.log(message),
      warn: (message) => console.error(message),
    },
  }).catch((error: Error) => fail(error.message));
  const { readers: rpc } = openChainClient({ urls: [devnet.rpcUrl], chainId: devnet.chainId });
  const app = createRpcApp({ rpc, contract: devnet.contract });
  const stop = () => void Promise.allSettled([app.close(), devnet.stop()]).then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  console.log(`RPC          ${await listen(app, Number(port))}
chain id     ${devnet.chainId}
contract     ${devnet.contract}
schema uid   ${devnet.schemaUid}
relayer      ${privateKeyToAddress(devnet.relayerPrivateKey)}
This chain runs on this machine only: its proofs convince nobody else. It can be read, not written to. Ctrl-C ends it.`);
}

/** Uses a free port when the wanted one is taken. */
async function listen(app: ReturnType<typeof createRpcApp>, wanted: number): Promise<string> {
  try {
    return await app.listen({ host: HOST, port: wanted });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    console.error(`port ${wanted} is taken: the devnet uses another one`);
    return app.listen({ host: HOST, port: 0 });
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
