import { addPin, dropPin, listPins, type Pin, pinsPath, snakeTrust } from '../pins.ts';
import type { Command } from 'commander';
import { isDevelopmentChain } from '@svc/verifier';
import { strangerAt, unreadable } from '../ask-service.ts';
import { answer, type Context, serviceCommand, type ServiceOptions } from '../context.ts';
import { inputError, usageError } from '../exit.ts';
import { refusePlainHttp } from '../find-trust.ts';
import { httpUrl } from '../options.ts';

export function trustCommand(context: Context): Command {
  return serviceCommand(
    'trust',
    'pin a service: verify and audit then trust the values that it publishes now',
    [
      'svc trust https://svc.example.org',
      'svc trust                     # list the pins',
      'svc trust --forget https://svc.example.org',
    ],
  )
    .argument('[url]', 'the service (default: list the pins)', httpUrl)
    .option('--forget <url>', 'drop the pin of a service', httpUrl)
    .action((url: string | undefined, options: ServiceOptions & { forget?: string }) =>
      trust(url, options, context),
    );
}

async function trust(
  url: string | undefined,
  options: ServiceOptions & { forget?: string },
  context: Context,
): Promise<void> {
  const path = pinsPath(context.env);
  if (options.forget !== undefined) {
    if (url !== undefined) throw usageError('give a service to pin or --forget, not both');
    const { origin } = new URL(options.forget);
    if (!dropPin(path, origin)) throw inputError(`${origin} is not pinned in ${path}`);
    return answer(context, options, { forgotten: origin }, [`removed the pin of ${origin}`]);
  }
  if (url === undefined) {
    const pins = listPins(path);
    const value = { pins: pins.map(({ origin, pin }) => ({ origin, ...told(pin) })) };
    return answer(
      context,
      options,
      value,
      pins.length === 0 ? ['no service is pinned'] : pins.flatMap(({ origin, pin }) => words(origin, pin)),
    );
  }
  const { origin } = new URL(url);
  refusePlainHttp(origin);
  const facts = await strangerAt(origin)
    .facts()
    .catch((error: unknown) => {
      throw unreadable(error, `${origin}/.well-known/svc.json`);
    });
  const isNew = addPin(path, origin, facts);
  answer(context, options, { origin, new: isNew, ...told(facts) }, [
    ...words(origin, facts),
    isNew
      ? `pinned in ${path}; compare these values with those that the operator publishes elsewhere`
      : `already pinned in ${path}, unchanged`,
    ...(isDevelopmentChain(facts.trust)
      ? [
          'this is a development chain: its operator can write any history, so its proofs prove nothing to others',
        ]
      : []),
  ]);
}

const told = ({ trust, promiseKeys, logKeys }: Pin) => ({
  ...snakeTrust(trust),
  promise_keys: promiseKeys,
  log_keys: logKeys,
  development_chain: isDevelopmentChain(trust),
});

const words = (
  origin: string,
  { trust: { chainId, contract, schemaUid, relayers }, promiseKeys, logKeys }: Pin,
): string[] => [
  origin,
  `  chain id     ${chainId}`,
  `  contract     ${contract}`,
  `  schema       ${schemaUid}`,
  ...relayers.map((relayer) => `  relayer      ${relayer}`),
  ...promiseKeys.map((key) => `  promise key  ${key}`),
  ...logKeys.map((key) => `  log key      ${key}`),
];
