import { indexReport } from '@svc/verifier/account-index';
import { z } from 'zod';
import { checksOf, trustOf } from '../outputs.ts';
import { findEtchId } from '../find-id.ts';
import { readingTool } from '../tool.ts';
import { indexMeaning, meaning, NOT_PROVEN } from '../verdict-words.ts';
import { etchName, hex, username } from './inputs.ts';

export const verify = readingTool({
  name: 'verify',
  title: 'Verify an etch against the chain',
  description:
    'Downloads the receipt and checks that the words have the hash, that the hash is in the tree, and that the tree is attested on the chain. ' +
    'result is pass, fail or wait. wait: not known yet, or checked only against values that the service publishes (trust.pinned is ' +
    'false), which proves nothing. With author_key from another source it checks that the author signed. ' +
    'For a receipt file, run svc verify.',
  input: {
    id: etchName,
    author_key: hex(64)
      .optional()
      .describe(
        'The author’s Ed25519 public key, 64 hex digits, from another source, never from an answer of this service.',
      ),
  },
  output: {
    result: 'string',
    meaning: 'string',
    hash: 'string',
    checks: 'array',
    'author?': 'object',
    onchain_time: ['string', 'null'],
    trust: 'object',
    not_proven: 'object',
    untrusted: 'object',
  },
  async run({ id: named, author_key }, { client, settings }) {
    const id = await findEtchId(named, client);
    const { result, trust, verification, author, receipt } = await client.verify(id, {
      trust: settings.trust,
      rpcUrls: settings.rpcUrls,
      authorKey: author_key,
      fetch: settings.fetch,
    });
    const { canonical_string, signature, revocation } = receipt;
    return {
      result,
      meaning: meaning(result, trust),
      hash: receipt.hash,
      checks: checksOf(verification),
      ...(author === null ? {} : { author: { verdict: author.verdict, detail: author.detail } }),
      onchain_time: verification.chain.onchainTimestamp,
      trust: {
        source: trust.pinned ? 'operator' : 'service',
        ...trustOf(trust),
        said_by: trust.pinned ? 'the operator' : 'the service itself',
        chain_read_through:
          settings.rpcUrls.length === 0 || settings.perRequest
            ? 'the endpoint that the service names'
            : 'the operator’s endpoint',
        checked_by: settings.perRequest
          ? 'the service itself; for an independent check, run svc verify or svc-mcp on your machine'
          : 'this MCP server, independently of the service',
      },
      not_proven: {
        note: NOT_PROVEN,
        etch_id: receipt.etch_id,
        status: receipt.status,
        retracted_at: revocation?.retracted_at ?? null,
        signed_by_key: signature?.public_key ?? null,
      },
      untrusted: { username: receipt.author.username, canonical_string },
    };
  },
});

export const receipt = readingTool({
  name: 'receipt',
  title: 'Download the receipt of an etch',
  description:
    'Returns the file with which anyone can check an etch against the chain, even without this service. Store it unchanged from the text of this answer: ' +
    'svc verify checks it. For a proof that needs no node, use evidence.',
  input: { id: etchName },
  output: { keep: 'string', untrusted: 'object' },
  async run({ id }, { client }) {
    const found = await client.receipt(await findEtchId(id, client));
    return { keep: keepWhen(found.inclusion !== null), untrusted: { receipt: found } };
  },
});

const keepWhen = (anchored: boolean): string =>
  anchored
    ? 'It verifies without this service. After a retraction, download it again.'
    : 'The etch is not anchored yet, so this receipt proves nothing: download it again later.';

/** Over HTTP only by the index: a check of all leaves would take the service too long. The service is then the checker, and the answer says so. */
export const audit = readingTool({
  name: 'audit',
  title: 'Audit a record against the chain',
  description:
    'Checks that a record leaves nothing out, against the leaves of every tree on the chain; with index: true (required over HTTP) ' +
    'only against the account’s entries in the index of accounts. ' +
    'result is pass, fail (see faults) or wait (see unread, meaning, trees.unproven, trust).',
  input: { username, index: z.boolean().optional() },
  output: {
    result: 'string',
    'meaning?': 'string',
    'up_to_block?': 'integer',
    'trees?': 'object',
    counts: 'object',
    faults: 'array',
    notices: 'array',
    unread: 'array',
    'log?': 'object',
    'index?': 'object',
    trust: 'object',
    untrusted: 'object',
  },
  async run({ username: named, index = false }, { client, settings }, signal) {
    const { keeper, trust: pinned, rpcUrls, fetch } = settings;
    const untrusted = { username: named };
    if (!index) {
      if (keeper === undefined) throw new TypeError('over HTTP, audit requires index: true');
      const { accounts, notices, unread, ...report } = await keeper.audit(named, signal);
      const [account] = accounts;
      return {
        result: report.result,
        up_to_block: report.up_to_block,
        trees: report.trees,
        counts: account?.counts ?? {},
        faults: account?.faults ?? [],
        notices: notices.map(({ username: _, ...notice }) => notice),
        unread: unread.map(({ detail }) => detail),
        ...(report.log === undefined ? {} : { log: report.log }),
        trust: report.trust,
        untrusted,
      };
    }
    const found = await (keeper?.auditIndex(named, signal) ??
      client.auditIndex(named, { trust: pinned, rpcUrls, fetch, signal }).then(({ findings, ...rest }) => ({
        result: rest.result,
        ...indexReport(findings),
        trust: { ...trustOf(rest.trust), checked_by: BY_SERVICE },
      })));
    const { account, faults } = found;
    return {
      result: found.result,
      meaning: indexMeaning(found),
      counts: account.counts ?? {},
      faults: [...faults.map((detail) => ({ what: 'index', detail })), ...account.faults],
      notices: account.notices,
      unread: found.unproven,
      ...(found.index && { index: found.index }),
      trust: found.trust,
      untrusted,
    };
  },
});

const BY_SERVICE =
  'the service itself; for an independent check, run svc audit --index or svc-mcp on your machine';
