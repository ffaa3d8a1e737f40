import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseReceipt, PromiseError, ReceiptError } from '@svc/protocol';
import type { PublicFields, SignedPromise } from '@svc/protocol';
import { checkPromise, overall, receiptJson, rpcChain, verifyReceipt } from '@svc/verifier';
import type { Given, ShownEtch } from './mutated.ts';
import type { ReceiptVector } from '../../../../testing/vectors/receipts.ts';
import { ZEROS } from '../../../../testing/chain/rpc-server.ts';

export type Verdict = 'pass' | 'fail' | 'wait';

const docs = join(import.meta.dirname, '../../../../docs');
const bytes = (base64: string) => Buffer.from(base64, 'base64');

function asked(method: string, params: unknown): string {
  return method === 'eth_chainId' ? method : `0x${(params as { data: string }[])[0]!.data.slice(10)}`;
}

export async function ours({ receipt, pins, promise, content, etch, answers }: Given): Promise<Verdict> {
  const fetch = (_: unknown, request: RequestInit) => {
    const { method, params } = JSON.parse(request.body as string) as { method: string; params: unknown };
    const answer = answers[asked(method, params)] ?? { status: 500, body: '' };
    return Promise.resolve(new Response(bytes(answer.body), { status: answer.status }));
  };
  const [[chainId], [contract], [schemaUid]] = [pins.chain, pins.contract, pins.schema];
  const trust = { chainId: chainId!, contract: contract!, schemaUid: schemaUid!, relayers: pins.relayer };
  const chain = rpcChain({ urls: ['http://chain.test/'], fetch: fetch as typeof globalThis.fetch });
  try {
    const found = parseReceipt(receiptJson(bytes(receipt)));
    const verification = await verifyReceipt(found, trust, chain);
    if (promise === null) return overall(verification);
    // Here only different content breaks a promise, because anyone may have made the file.
    const publicFields = etch === null ? undefined : publicFieldsOf(etch);
    const read = { state: 'found', receipt: found, verification, publicFields, pinned: false } as const;
    const accepted = { promise: promise as SignedPromise, content: content ?? undefined };
    const kept = checkPromise(accepted, { keys: pins.key, pinned: true }, read, 0);
    return overall({ checks: [...verification.checks, kept] });
  } catch (error) {
    if (error instanceof ReceiptError || error instanceof PromiseError) return 'fail';
    throw error;
  }
}

const publicFieldsOf = ({ description, category, mode, reveal_at, challenge }: ShownEtch): PublicFields => ({
  description,
  topic: category.id,
  mode,
  revealAt: reveal_at,
  challengeId: challenge?.id ?? null,
});

type Ask = (method: string, params: unknown) => Promise<Uint8Array>;
interface Twin {
  judge(
    receipt: Uint8Array,
    pins: Given['pins'],
    ask: Ask,
    promise: unknown,
    say: () => void,
    shown: Pick<Given, 'content' | 'etch'>,
  ): Promise<Verdict>;
  Refused: new () => Error;
}

export async function byNode(cases: readonly Given[]): Promise<Verdict[]> {
  const twin = (await import(pathToFileURL(join(docs, 'verify_receipt.mjs')).href)) as Twin;
  const found: Verdict[] = [];
  for (const { receipt, pins, promise, content, etch, answers } of cases) {
    const ask: Ask = async (method, params) => {
      const answer = answers[asked(method, params)];
      if (answer === undefined || answer.status < 200 || answer.status > 299) throw new Error('no answer');
      return bytes(answer.body);
    };
    const refused = (error: unknown): Verdict => {
      if (error instanceof twin.Refused) return 'fail';
      throw error;
    };
    found.push(
      await twin.judge(bytes(receipt), pins, ask, promise, () => {}, { content, etch }).catch(refused),
    );
  }
  return found;
}

const DRIVER = `
import base64, json, sys
sys.path.insert(0, sys.argv[1])
import verify_receipt
for line in sys.stdin:
    case = json.loads(line)
    def ask(method, params):
        answer = case["answers"][method if method == "eth_chainId" else "0x" + params[0]["data"][10:]]
        if not 200 <= answer["status"] <= 299: raise OSError("no answer")
        return base64.b64decode(answer["body"])
    try: print(verify_receipt.judge(base64.b64decode(case["receipt"]), case["pins"], ask, case["promise"], etch=case["etch"], content=case["content"]))
    except verify_receipt.Refused: print("fail")
`;

/** All cases in one interpreter, with verify_receipt.py of the folder. */
export async function byPython(cases: readonly Given[], folder = docs): Promise<Verdict[]> {
  const child = spawn('python3', ['-B', '-c', DRIVER, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => (said += String(text)));
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  child.stdin.on('error', () => undefined); // it exited before it read all input; its exit status shows that
  child.stdin.end(cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
  if ((await ended) !== 0) throw new Error('docs/verify_receipt.py ended early');
  return said.trim().split('\n') as Verdict[];
}

export function givenOf(
  name: string,
  { receipt, trust, chain }: Pick<ReceiptVector, 'receipt' | 'trust' | 'chain'>,
): Given {
  const answer = (result: string) => ({
    status: 200,
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result })).toString('base64'),
  });
  const uids = [receipt?.chain?.attestation_uid, receipt?.revocation?.attestation_uid];
  const unknown = uids.filter((uid) => typeof uid === 'string').map((uid): [string, string] => [uid, ZEROS]);
  const known = Object.fromEntries([...unknown, ...Object.entries(chain.eth_call)]);
  return {
    name,
    receipt: Buffer.from(JSON.stringify(receipt)).toString('base64'),
    pins: {
      chain: [trust.chain_id],
      contract: [trust.contract],
      schema: [trust.schema_uid],
      relayer: trust.relayers,
      key: [],
    },
    promise: null,
    content: null,
    etch: null,
    answers: {
      eth_chainId: answer(`0x${chain.chain_id.toString(16)}`),
      ...Object.fromEntries(Object.entries(known).map(([uid, raw]) => [uid, answer(raw)])),
    },
  };
}
