import { resolve } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { startDevnet } from './chain/devnet/devnet.ts';
import { readEnvironment } from './settings/config.ts';

/** `npm run devnet`: serves the saved chain alone, so that proofs can be checked with the service stopped. */
export async function main(): Promise<void> {
  const environment = readEnvironment();
  const port = environment['DEVNET_PORT'] || '8545';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return fail('DEVNET_PORT is not a port');
  const devnet = await startDevnet({
    dataDir: resolve(environment['DATA_DIR'] || './data'),
    port: Number(port),
    allowOrigin: '*', // a saved receipt's own page asks it from the browser
    log: {
      info: (message) => console.log(message),
      warn: (message) => console.error(message),
    },
  }).catch((error: Error) => fail(error.message));
  console.log(`RPC          ${devnet.rpcUrl}
chain id     ${devnet.chainId}
contract     ${devnet.contract}
schema uid   ${devnet.schemaUid}
relayer      ${privateKeyToAddress(devnet.relayerPrivateKey)}
This chain runs on this machine only: its proofs convince nobody else. Ctrl-C ends it.`);
  const stop = () => void devnet.stop().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
