import { addPin, dropPin, listPins, type Pin, pinsPath, readPin, snakeTrust } from '../pins.ts';
import { command, flag, read } from '../command.ts';
import { isDevelopmentChain } from '@svc/verifier';
import { clientWithoutKey, readErrorOf } from '../service-requests.ts';
import type { Shown } from '../context.ts';
import { inputError, usageError } from '../exit.ts';
import { refusePlainHttp } from '../find-trust.ts';
import { httpUrl, SERVICE } from '../options.ts';

export const trustCommand = command(
  'trust',
  'pin a service: verify and audit then trust the values that it publishes now',
  {
    input: {
      ...SERVICE,
      '[url]': read(httpUrl, 'the service (default: list the pins)'),
      '--accept': flag(
        'pin values that changed; ask the operator over another channel first. The pin of a chain that the service left stays for svc verify',
      ),
      '--forget <url>': read(httpUrl, 'drop the pin of a service'),
    },
    examples: [
      'svc trust https://svc.example.org',
      'svc trust                     # list the pins',
      'svc trust --forget https://svc.example.org',
    ],
    async run({ url, forget, accept }, { env }) {
      const path = pinsPath(env);
      if (forget !== undefined) {
        if (url !== undefined) throw usageError('give a service to pin or --forget, not both');
        const { origin } = new URL(forget);
        if (!dropPin(path, origin)) throw inputError(`${origin} is not pinned in ${path}`);
        return { value: { forgotten: origin }, words: [`removed the pin of ${origin}`] };
      }
      if (accept && url === undefined) throw usageError('--accept requires the url of a service');
      return url === undefined ? listed(path) : pin(path, new URL(url).origin, accept);
    },
  },
);

function listed(path: string): Shown {
  const pins = listPins(path);
  const found = pins.flatMap(({ origin, pin: kept }) => words(origin, kept));
  return {
    value: { pins: pins.map(({ origin, pin: kept }) => ({ origin, ...pinJson(kept) })) },
    words: pins.length === 0 ? ['no service is pinned'] : found,
  };
}

const DEVELOPMENT =
  'this is a development chain: its operator can write any history, so its proofs prove nothing to others';

async function pin(path: string, origin: string, isAccepted: boolean): Promise<Shown> {
  refusePlainHttp(origin);
  const facts = await clientWithoutKey(origin)
    .facts()
    .catch((error: unknown) => {
      throw readErrorOf(error, `${origin}/.well-known/svc.json`);
    });
  const isNew = addPin(path, origin, facts, isAccepted);
  const pinned = readPin(path, origin)!;
  return {
    value: { origin, new: isNew, ...pinJson(pinned) },
    words: [
      ...words(origin, pinned),
      isNew
        ? `pinned in ${path}; compare these values with those that the operator publishes elsewhere`
        : `already pinned in ${path}, unchanged`,
      ...(isDevelopmentChain(facts.trust) ? [DEVELOPMENT] : []),
    ],
  };
}

const pinJson = ({ trust, promiseKeys, logKeys, former }: Pin) => ({
  ...snakeTrust(trust),
  promise_keys: promiseKeys,
  log_keys: logKeys,
  former: former.map(snakeTrust),
  development_chain: isDevelopmentChain(trust),
});

const words = (
  origin: string,
  { trust: { chainId, contract, schemaUid, relayers }, promiseKeys, logKeys, former }: Pin,
): string[] => [
  origin,
  `  chain id     ${chainId}`,
  `  contract     ${contract}`,
  `  schema       ${schemaUid}`,
  ...relayers.map((relayer) => `  relayer      ${relayer}`),
  ...promiseKeys.map((key) => `  promise key  ${key}`),
  ...logKeys.map((key) => `  log key      ${key}`),
  ...former.map((left) => `  former chain ${left.chainId}, kept for receipts and evidence of that chain`),
];
